// SPDX-License-Identifier: GPL-3.0-or-later
//
// Creates pipelines from manifests alone (iridia wgsl --manifest), with bind group layouts of their own
// words: what a manifest leaves out or has wrong, Dawn refuses. The null backend needs no driver.
// Usage: node manifest.mjs FILE.json|DIR...
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { buffersOf, deviceOf, groupLayoutsOf, overridesOf, refusalOf } from './pipeline.mjs';

/** A vertex shader that writes what the manifest says a fragment shader reads. */
function vertexFor(manifest) {
    const members = manifest.inputs.filter((input) => 'shaderLocation' in input).map((input) =>
        `    @location(${input.shaderLocation}) ${input.interpolate ? `@interpolate(${input.interpolate}) ` : ''}` +
        `v${input.shaderLocation} : ${input.type},\n`);
    return `struct Out {\n    @builtin(position) position : vec4<f32>,\n${members.join('')}}\n` +
        '@vertex fn main() -> Out {\n    var result : Out;\n    return result;\n}\n';
}

function createPipeline(device, manifest, folder) {
    const code = fs.readFileSync(path.resolve(folder, manifest.module), 'utf8');
    const stage = {
        module: device.createShaderModule({ code }),
        entryPoint: manifest.entryPoint,
        constants: overridesOf(manifest),
    };
    const layout = device.createPipelineLayout({ bindGroupLayouts: groupLayoutsOf(device, manifest) });
    const depthStencil = { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' };
    if (manifest.stage === 'compute') {
        device.createComputePipeline({ layout, compute: stage });
    } else if (manifest.stage === 'vertex') {
        device.createRenderPipeline({ layout, vertex: { ...stage, buffers: buffersOf(manifest) }, depthStencil });
    } else {
        const targets = [];
        for (const output of manifest.outputs) {
            if ('shaderLocation' in output) targets[output.shaderLocation] = { format: 'r8unorm' };
        }
        device.createRenderPipeline({
            layout,
            vertex: { module: device.createShaderModule({ code: vertexFor(manifest) }), entryPoint: 'main' },
            fragment: { ...stage, targets: Array.from(targets, (target) => target ?? null) },
            depthStencil,
        });
    }
}

const files = process.argv.slice(2).flatMap((name) => fs.statSync(name).isDirectory()
    ? fs.readdirSync(name).filter((f) => f.endsWith('.json')).sort().map((f) => path.join(name, f))
    : [name]);
let failed = 0;
for (const file of files) {
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
    const device = await deviceOf(manifest);
    const why = await refusalOf(device, () => createPipeline(device, manifest, path.dirname(file)));
    if (!why) continue;
    failed++;
    console.log(`${file}: ${why}`);
}
console.log(`${files.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
