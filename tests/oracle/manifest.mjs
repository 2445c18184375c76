// SPDX-License-Identifier: GPL-3.0-or-later
//
// Creates pipelines from manifests alone (iridia wgsl --manifest), with bind group layouts of their own
// words: what a manifest leaves out or has wrong, Dawn refuses. The null backend needs no driver.
// Usage: node manifest.mjs FILE.json|DIR...
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);

const stages = { vertex: GPUShaderStage.VERTEX, fragment: GPUShaderStage.FRAGMENT, compute: GPUShaderStage.COMPUTE };

/** The layout that the manifest's bind groups say. */
function layoutOf(device, manifest) {
    const groups = [];
    for (const group of manifest.bindGroups) {
        while (groups.length < group.group) groups.push(device.createBindGroupLayout({ entries: [] }));
        groups.push(device.createBindGroupLayout({
            entries: group.entries.map((entry) => ({
                binding: entry.binding,
                visibility: stages[entry.visibility],
                ...Object.fromEntries(['buffer', 'texture', 'sampler', 'storageTexture']
                    .filter((kind) => kind in entry).map((kind) => [kind, entry[kind]])),
            })),
        }));
    }
    return device.createPipelineLayout({ bindGroupLayouts: groups });
}

/** A vertex buffer with the attributes, each in 16 bytes. */
function buffersOf(manifest) {
    const attributes = manifest.inputs.filter((input) => 'shaderLocation' in input).map((input, n) => ({
        shaderLocation: input.shaderLocation, offset: 16 * n, format: input.format,
    }));
    return attributes.length ? [{ arrayStride: 16 * attributes.length, attributes }] : [];
}

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
        constants: Object.fromEntries(manifest.constants.map((constant) => [constant.name, 0])),
    };
    const layout = layoutOf(device, manifest);
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
const gpu = create(['backend=null']);

/** A device of exactly those features and limits: nothing that a manifest does not say is there. */
const devices = new Map();
async function deviceOf(manifest) {
    const needs = { requiredFeatures: manifest.requiredFeatures, requiredLimits: manifest.requiredLimits };
    const key = JSON.stringify(needs);
    if (!devices.has(key)) devices.set(key, await (await gpu.requestAdapter()).requestDevice(needs));
    return devices.get(key);
}

let failed = 0;
for (const file of files) {
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
    const device = await deviceOf(manifest);
    device.pushErrorScope('validation');
    let why = null;
    try {
        createPipeline(device, manifest, path.dirname(file));
    } catch (error) {
        why = error;
    }
    why = await device.popErrorScope() ?? why;
    if (!why) continue;
    failed++;
    console.log(`${file}: ${String(why.message ?? why).replace(/\s*\n\s*/g, ' | ').slice(0, 500)}`);
}
console.log(`${files.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
