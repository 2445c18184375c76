// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is made of a manifest's words, on Dawn: layouts, vertex buffers, devices. The null backend needs no driver.
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);

const stages = { vertex: GPUShaderStage.VERTEX, fragment: GPUShaderStage.FRAGMENT, compute: GPUShaderStage.COMPUTE };

/** The layouts that a manifest's bind groups say, by group. */
export function groupLayoutsOf(device, manifest) {
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
    return groups;
}

/** A vertex buffer with the attributes, each in 16 bytes. */
export function buffersOf(stage) {
    const attributes = stage.inputs.filter((input) => 'shaderLocation' in input).map((input, n) => ({
        shaderLocation: input.shaderLocation, offset: 16 * n, format: input.format,
    }));
    return attributes.length ? [{ arrayStride: 16 * attributes.length, attributes }] : [];
}

/** The numbers that a stage's overrides get, each 0. */
export function overridesOf(stage) {
    return Object.fromEntries(stage.constants.map((constant) => [constant.name, 0]));
}

const gpu = create(['backend=null']);
const devices = new Map();
/** A device of exactly those features and limits: nothing that a manifest does not say is there. */
export async function deviceOf(manifest) {
    const needs = { requiredFeatures: manifest.requiredFeatures, requiredLimits: manifest.requiredLimits };
    const key = JSON.stringify(needs);
    if (!devices.has(key)) devices.set(key, await (await gpu.requestAdapter()).requestDevice(needs));
    return devices.get(key);
}

/** Why what `make` does is not valid, one line; null when it is. */
export async function refusalOf(device, make) {
    device.pushErrorScope('validation');
    let why = null;
    try {
        make();
    } catch (error) {
        why = error;
    }
    why = await device.popErrorScope() ?? why;
    return why && String(why.message ?? why).replace(/\s*\n\s*/g, ' | ').slice(0, 500);
}
