// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the jobs that oracle-gpu wrote into a folder on a WebGPU device, and leaves what came back: out.bin, and
// results.tsv with a line a job: name, offset in out.bin (or -1), why not.

import { runComputeJobs } from './gpu_compute.mjs';

/** Uploads the textures that jobs share: lists by dimension. */
function uploadTextures(device, textures, data) {
    const made = {};
    for (const t of textures) {
        const texture = device.createTexture({
            size: t.size,
            dimension: t.view === '3d' ? '3d' : '2d',
            format: 'rgba16float',
            usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
        });
        const bytes = t.size[0] * t.size[1] * t.size[2] * 8;
        device.queue.writeTexture({ texture }, data.slice(t.at, t.at + bytes),
            { bytesPerRow: t.size[0] * 8, rowsPerImage: t.size[1] }, t.size);
        (made[t.view] ??= []).push(texture.createView({ dimension: t.view }));
    }
    return made;
}

function bufferOf(device, usage, bytes) {
    const buffer = device.createBuffer({ size: Math.max(16, (bytes.length + 3) & ~3), usage: usage | GPUBufferUsage.COPY_DST });
    if (bytes.length) device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
}

const SIDE = 64; // pixels of the square that jobs run on: 32 quads a row
const BANK_STEP = 256; // bytes from one set's constants to the next one's

/** The layout of the module's resources, by group, and how many of the sets differ in it. */
function layoutGroups(job, shared) {
    const groups = [0, 1, 2, 3].map(() => ({ layout: [], resources: [], period: 1 }));
    const visibility = GPUShaderStage.FRAGMENT;
    for (const r of job.resources) {
        const g = groups[r.group];
        const entry = { binding: r.binding, visibility };
        if (r.kind === 'texture') entry.texture = { viewDimension: r.view };
        else if (r.kind === 'sampler') entry.sampler = {};
        else entry.buffer = { type: r.kind };
        g.layout.push(entry);
        g.resources.push(r);
        const period = r.kind === 'texture' ? shared.views[r.view].length : r.kind === 'sampler' ? 1 : job.sets;
        g.period = Math.max(g.period, period);
    }
    return groups;
}

/** What a set binds to a resource. */
function resourceOf(r, set, shared) {
    if (r.kind === 'texture') return shared.views[r.view][(r.number + set) % shared.views[r.view].length];
    if (r.kind === 'sampler') return shared.sampler;
    return { buffer: shared.banks[r.bank], offset: set * BANK_STEP, size: r.size };
}

/** The pixels of a set's quads: quads go along rows of the square. */
function scissorOf(job, set) {
    const quads = job.count / job.sets / 4;
    const row = SIDE / 2;
    return quads < row ? [(set * quads % row) * 2, Math.floor(set * quads / row) * 2, quads * 2, 2]
        : [0, set * (quads / row) * 2, SIDE, quads / row * 2];
}

async function runJob(device, job, data, shared) {
    const input = bufferOf(device, GPUBufferUsage.STORAGE, data.slice(job.in, job.in + job.inBytes));
    const output = device.createBuffer({ size: job.outBytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const read = device.createBuffer({ size: job.outBytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const groups = layoutGroups(job, shared);
    const visibility = GPUShaderStage.FRAGMENT;
    groups[3].layout.push({ binding: 500, visibility, buffer: { type: 'read-only-storage' } });
    groups[3].layout.push({ binding: 501, visibility, buffer: { type: 'storage' } });

    device.pushErrorScope('validation');
    const code = new TextDecoder().decode(data.slice(job.module, job.module + job.moduleBytes));
    const module = device.createShaderModule({ code });
    const layouts = groups.map((g) => device.createBindGroupLayout({ entries: g.layout }));
    const pipeline = device.createRenderPipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
        vertex: { module, entryPoint: 'oracle_vertex' },
        fragment: { module, entryPoint: 'oracle_main', targets: [{ format: 'rgba8unorm' }] },
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
        colorAttachments: [{ view: shared.target, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0] }],
    });
    pass.setPipeline(pipeline);
    const made = groups.map(() => []);
    for (let set = 0; set < job.sets; set++) {
        groups.forEach((g, i) => {
            const k = set % g.period;
            if (set && g.period === 1) return;
            if (!made[i][k]) {
                const entries = g.resources.map((r) => ({ binding: r.binding, resource: resourceOf(r, job.firstSet + set, shared) }));
                if (i === 3) {
                    entries.push({ binding: 500, resource: { buffer: input } });
                    entries.push({ binding: 501, resource: { buffer: output } });
                }
                made[i][k] = device.createBindGroup({ layout: layouts[i], entries });
            }
            pass.setBindGroup(i, made[i][k]);
        });
        pass.setScissorRect(...scissorOf(job, set));
        pass.draw(3);
    }
    pass.end();
    encoder.copyBufferToBuffer(output, 0, read, 0, job.outBytes);
    device.queue.submit([encoder.finish()]);
    const error = await device.popErrorScope();
    if (error) throw new Error(error.message);
    await read.mapAsync(GPUMapMode.READ);
    const bytes = new Uint8Array(read.getMappedRange()).slice();
    read.destroy();
    input.destroy();
    output.destroy();
    return bytes;
}

/** Runs every job; `files` reads and writes the folder's files. */
export async function runJobs(device, files) {
    const manifest = JSON.parse(files.readText('manifest.json'));
    const data = files.readBytes('data.bin');
    if (manifest.compute) return runComputeJobs(device, manifest, data, files);
    const shared = {
        views: uploadTextures(device, manifest.textures, data),
        banks: manifest.banks.map((b) => bufferOf(device, GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE, data.slice(b.at, b.at + b.size))),
        sampler: device.createSampler({ addressModeU: 'repeat', addressModeV: 'repeat', addressModeW: 'repeat' }),
        target: device.createTexture({ size: [2 * SIDE, 2 * SIDE], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT }).createView(),
    };
    const parts = [];
    const lines = [];
    let at = 0;
    let failed = 0;
    for (const job of manifest.jobs) {
        try {
            const bytes = await runJob(device, job, data, shared);
            parts.push(bytes);
            lines.push(`${job.name}\t${at}\t\n`);
            at += bytes.length;
        } catch (e) {
            failed++;
            lines.push(`${job.name}\t-1\t${String(e.message ?? e).replace(/\s+/g, ' ').slice(0, 300)}\n`);
        }
    }
    const all = new Uint8Array(at);
    let to = 0;
    for (const part of parts) {
        all.set(part, to);
        to += part.length;
    }
    files.writeBytes('out.bin', all);
    files.writeText('results.tsv', lines.join(''));
    return failed;
}
