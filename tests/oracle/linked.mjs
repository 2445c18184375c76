// SPDX-License-Identifier: GPL-3.0-or-later
//
// Creates the pipeline of each pass of effects from their manifests alone (iridia fx --to wgsl), and bind groups with
// the constants and samplers that the manifest says. Ends with the passes of each kind as JSON, then
// `N passed, N failed, N skipped`.
// Usage: node linked.mjs DIR...
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { buffersOf, deviceOf, groupLayoutsOf, overridesOf, refusalOf } from './pipeline.mjs';

function stageOf(device, stage, folder) {
    const code = fs.readFileSync(path.join(folder, stage.module), 'utf8');
    return { module: device.createShaderModule({ code }), entryPoint: stage.entryPoint, constants: overridesOf(stage) };
}

function textureFor(device, layout) {
    const texture = device.createTexture({
        size: [1, 1, layout.viewDimension === 'cube' ? 6 : 1],
        dimension: ['1d', '3d'].includes(layout.viewDimension) ? layout.viewDimension : '2d',
        format: layout.sampleType === 'depth' ? 'depth32float' : 'rgba8unorm',
        usage: GPUTextureUsage.TEXTURE_BINDING,
    });
    return texture.createView({ dimension: layout.viewDimension });
}

/** What is bound for an entry: the manifest's constants, its sampler, any texture. */
function resourceFor(device, pass, group, entry) {
    const here = (other) => other.group === group && other.binding === entry.binding;
    if (entry.texture) return textureFor(device, entry.texture);
    if (entry.sampler) return device.createSampler(pass.samplers.find(here).descriptor);
    const { words } = pass.constants.find(here);
    const buffer = device.createBuffer({
        size: 4 * words.length, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, new Uint32Array(words));
    return { buffer };
}

function createPass(device, pass, folder) {
    const layouts = groupLayoutsOf(device, pass);
    device.createRenderPipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
        vertex: { ...stageOf(device, pass.vertex, folder), buffers: buffersOf(pass.vertex) },
        fragment: pass.fragment && { ...stageOf(device, pass.fragment, folder), targets: pass.targets },
        primitive: pass.primitive,
        depthStencil: pass.depthStencil,
    });
    for (const { group, entries } of pass.bindGroups) {
        device.createBindGroup({
            layout: layouts[group],
            entries: entries.map((entry) => ({
                binding: entry.binding, resource: resourceFor(device, pass, group, entry),
            })),
        });
    }
}

const kinds = {};
let passed = 0;
let failed = 0;
for (const folder of process.argv.slice(2)) {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
    for (const pass of manifest.passes) {
        kinds[pass.kind] = (kinds[pass.kind] ?? 0) + 1;
        if (pass.kind === 'fixed-function') continue;
        const why = pass.kind === 'refused' ? pass.refusal.reason
            : await deviceOf(pass).then((device) => refusalOf(device, () => createPass(device, pass, folder)));
        if (why) console.log(`${folder}: ${pass.technique}/${pass.pass}: ${why}`);
        if (why) failed++;
        else passed++;
    }
}
console.log(JSON.stringify(kinds));
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
