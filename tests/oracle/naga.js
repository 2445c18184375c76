// SPDX-License-Identifier: GPL-3.0-or-later
//
// Validates WGSL files with naga, the compiler of wgpu and Firefox, through Deno: each as a module
// and, each entry point, as a pipeline. Only default features and limits. Needs any Vulkan driver.
// Usage: deno run --allow-read naga.js FILE.wgsl|DIR...
import { validateFiles } from './entry.mjs';

const files = Deno.args.flatMap((name) => Deno.statSync(name).isDirectory
    ? [...Deno.readDirSync(name)].map((e) => e.name).filter((f) => f.endsWith('.wgsl')).sort()
        .map((f) => `${name}/${f}`)
    : [name]);
const adapter = await navigator.gpu.requestAdapter();
if (!adapter) {
    console.error('naga: no adapter');
    Deno.exit(3);
}
const device = await adapter.requestDevice();
const failed = await validateFiles(device, 'naga', files, Deno.readTextFileSync);
Deno.exit(failed ? 1 : 0);
