// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the jobs of a folder through Dawn (Tint), by default on SwiftShader. Usage: node gpu_dawn.mjs DIR
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { create, globals } from 'webgpu';
import { runJobs } from './gpu.mjs';

Object.assign(globalThis, globals);

const folder = process.argv[2];
const gpu = create([]);
const adapter = await gpu.requestAdapter();
if (!adapter) {
    console.error('dawn: no adapter');
    process.exit(3);
}
const device = await adapter.requestDevice();
console.log(`dawn on ${adapter.info.vendor} ${adapter.info.architecture} ${adapter.info.description}`);
await runJobs(device, {
    readText: (name) => fs.readFileSync(path.join(folder, name), 'utf8'),
    readBytes: (name) => new Uint8Array(fs.readFileSync(path.join(folder, name))),
    writeBytes: (name, bytes) => fs.writeFileSync(path.join(folder, name), bytes),
    writeText: (name, text) => fs.writeFileSync(path.join(folder, name), text),
});
device.destroy();
process.exit(0);
