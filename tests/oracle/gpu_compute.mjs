// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs compute jobs: each binds buffers, textures and storage textures, dispatches its workgroups, and leaves what
// came back of those marked `out`, one behind another.

const TEXEL = 16; // rgba32float

function makeBuffer(device, b, data) {
    const bytes = data.slice(b.at, b.at + b.bytes);
    const usage = b.kind === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
    const buffer = device.createBuffer({ size: Math.max(b.kind === 'uniform' ? 16 : 4, b.bytes),
        usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    device.queue.writeBuffer(buffer, 0, bytes);
    return { layout: { buffer: { type: b.kind } }, resource: { buffer }, buffer };
}

function makeTexture(device, b, data) {
    const image = b.kind === 'image';
    const texture = device.createTexture({
        size: b.size,
        dimension: b.view === '3d' ? '3d' : '2d',
        mipLevelCount: b.levels,
        format: 'rgba32float',
        usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC |
            (image ? GPUTextureUsage.STORAGE_BINDING : GPUTextureUsage.TEXTURE_BINDING),
    });
    let at = b.at;
    for (let level = 0; level < b.levels; level++) {
        const size = b.size.map((n, i) => (i < 2 || b.view === '3d' ? Math.max(1, n >> level) : n));
        const bytes = size[0] * size[1] * size[2] * TEXEL;
        device.queue.writeTexture({ texture, mipLevel: level }, data.slice(at, at + bytes),
            { bytesPerRow: size[0] * TEXEL, rowsPerImage: size[1] }, size);
        at += bytes;
    }
    const view = texture.createView({ dimension: b.view });
    return {
        layout: image ? { storageTexture: { format: 'rgba32float', access: 'write-only', viewDimension: b.view } }
            : { texture: { sampleType: 'unfilterable-float', viewDimension: b.view } },
        resource: view,
        texture,
    };
}

function make(device, b, data) {
    if (b.kind === 'sampler') {
        return {
            layout: { sampler: { type: 'non-filtering' } },
            resource: device.createSampler({ addressModeU: 'repeat', addressModeV: 'repeat', addressModeW: 'repeat' }),
        };
    }
    return b.kind === 'texture' || b.kind === 'image' ? makeTexture(device, b, data) : makeBuffer(device, b, data);
}

/** A copy of what a binding holds, to be read once the queue is done. Rows of textures are 256 bytes apart. */
function copyOut(device, encoder, b, made) {
    const pitch = made.texture ? Math.ceil(b.size[0] * TEXEL / 256) * 256 : 0;
    const rows = made.texture ? b.size[1] * b.size[2] : 0;
    const size = made.texture ? pitch * rows : b.bytes;
    const read = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    if (made.texture) {
        encoder.copyTextureToBuffer({ texture: made.texture },
            { buffer: read, bytesPerRow: pitch, rowsPerImage: b.size[1] }, b.size);
    } else {
        encoder.copyBufferToBuffer(made.buffer, 0, read, 0, size);
    }
    return async () => {
        await read.mapAsync(GPUMapMode.READ);
        const all = new Uint8Array(read.getMappedRange()).slice();
        read.destroy();
        if (!made.texture) return all;
        const width = b.size[0] * TEXEL;
        const packed = new Uint8Array(width * rows);
        for (let row = 0; row < rows; row++) packed.set(all.subarray(row * pitch, row * pitch + width), row * width);
        return packed;
    };
}

async function runJob(device, job, data) {
    const made = job.bindings.map((b) => make(device, b, data));
    const groups = [0, 1, 2, 3].map(() => ({ layout: [], entries: [] }));
    job.bindings.forEach((b, i) => {
        groups[b.group].layout.push({ binding: b.binding, visibility: GPUShaderStage.COMPUTE, ...made[i].layout });
        groups[b.group].entries.push({ binding: b.binding, resource: made[i].resource });
    });
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: job.wgsl });
    const layouts = groups.map((g) => device.createBindGroupLayout({ entries: g.layout }));
    const pipeline = device.createComputePipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
        compute: { module, entryPoint: 'main' },
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    groups.forEach((g, i) => pass.setBindGroup(i, device.createBindGroup({ layout: layouts[i], entries: g.entries })));
    pass.dispatchWorkgroups(...job.groups);
    pass.end();
    const reads = job.bindings.flatMap((b, i) => (b.out ? [copyOut(device, encoder, b, made[i])] : []));
    device.queue.submit([encoder.finish()]);
    const error = await device.popErrorScope();
    if (error) throw new Error(error.message);
    const parts = [];
    for (const read of reads) parts.push(await read());
    return parts;
}

/** Runs every job of a manifest; the same files come back as of other jobs. */
export async function runComputeJobs(device, manifest, data, files) {
    const parts = [];
    const lines = [];
    let at = 0;
    let failed = 0;
    for (const job of manifest.jobs) {
        try {
            const start = at;
            for (const part of await runJob(device, job, data)) {
                parts.push(part);
                at += part.length;
            }
            lines.push(`${job.name}\t${start}\t\n`);
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
