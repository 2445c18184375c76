// SPDX-License-Identifier: GPL-3.0-or-later
//
// Validates WGSL files with Tint, Chrome's compiler, through Dawn: each as a module and, each entry
// point, as a pipeline. Only default features and limits. The null backend needs no driver.
// Usage: node tint.mjs FILE.wgsl|DIR...
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { create, globals } from 'webgpu';
import { validateFiles } from './entry.mjs';

Object.assign(globalThis, globals);

const files = process.argv.slice(2).flatMap((name) => fs.statSync(name).isDirectory()
    ? fs.readdirSync(name).filter((f) => f.endsWith('.wgsl')).sort().map((f) => path.join(name, f))
    : [name]);
const gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
if (!adapter) {
    console.error('tint: no adapter');
    process.exit(3);
}
const device = await adapter.requestDevice();
const failed = await validateFiles(device, 'tint', files, (file) => fs.readFileSync(file, 'utf8'));
device.destroy();
process.exit(failed ? 1 : 0);
