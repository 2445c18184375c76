// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the jobs of a folder through wgpu (naga), by default on lavapipe.
// Usage: deno run --unstable-webgpu --allow-read --allow-write gpu_naga.js DIR
import { runJobs } from './gpu.mjs';

const folder = Deno.args[0];
const adapter = await navigator.gpu.requestAdapter();
if (!adapter) {
    console.error('naga: no adapter');
    Deno.exit(3);
}
const device = await adapter.requestDevice();
console.log(`wgpu on ${adapter.info.vendor} ${adapter.info.architecture} ${adapter.info.description}`);
await runJobs(device, {
    readText: (name) => Deno.readTextFileSync(`${folder}/${name}`),
    readBytes: (name) => Deno.readFileSync(`${folder}/${name}`),
    writeBytes: (name, bytes) => Deno.writeFileSync(`${folder}/${name}`, bytes),
    writeText: (name, text) => Deno.writeTextFileSync(`${folder}/${name}`, text),
});
Deno.exit(0);
