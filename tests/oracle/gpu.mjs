// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the jobs that oracle-gpu wrote into a folder on a WebGPU device, and leaves what came back: out.bin, and
// results.tsv with a line a job: name, offset in out.bin (or -1), why not.

/** Uploads the textures that jobs share. */
function uploadTextures(device, textures, data) {
    const made = {};
    for (const [name, t] of Object.entries(textures)) {
        const texture = device.createTexture({
            size: t.size,
            dimension: t.view === '3d' ? '3d' : '2d',
            format: 'rgba16float',
            usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
        });
        const bytes = t.size[0] * t.size[1] * t.size[2] * 8;
        device.queue.writeTexture({ texture }, data.slice(t.at, t.at + bytes),
            { bytesPerRow: t.size[0] * 8, rowsPerImage: t.size[1] }, t.size);
        made[name] = texture.createView({ dimension: t.view });
    }
    return made;
}

function bufferOf(device, usage, bytes) {
    const buffer = device.createBuffer({ size: Math.max(16, (bytes.length + 3) & ~3), usage: usage | GPUBufferUsage.COPY_DST });
    if (bytes.length) device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
}

/** What the old module's resources are bound to, by group: layout entries and group entries. */
function bindings(device, job, data, views, sampler, visibility) {
    const groups = [0, 1, 2, 3].map(() => ({ layout: [], group: [] }));
    for (const r of job.resources) {
        const g = groups[r.group];
        if (r.kind === 'texture') {
            g.layout.push({ binding: r.binding, visibility, texture: { viewDimension: r.view } });
            g.group.push({ binding: r.binding, resource: views[r.texture] });
        } else if (r.kind === 'sampler') {
            g.layout.push({ binding: r.binding, visibility, sampler: {} });
            g.group.push({ binding: r.binding, resource: sampler });
        } else {
            const usage = r.kind === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
            g.layout.push({ binding: r.binding, visibility, buffer: { type: r.kind } });
            g.group.push({
                binding: r.binding,
                resource: { buffer: bufferOf(device, usage, data.slice(r.at, r.at + r.size)) },
            });
        }
    }
    return groups;
}

async function runJob(device, job, data, views, sampler, target) {
    const visibility = job.pixel ? GPUShaderStage.FRAGMENT : GPUShaderStage.COMPUTE;
    const groups = bindings(device, job, data, views, sampler, visibility);
    const input = bufferOf(device, GPUBufferUsage.STORAGE, data.slice(job.in, job.in + job.inBytes));
    const output = device.createBuffer({ size: job.outBytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const read = device.createBuffer({ size: job.outBytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    groups[3].layout.push({ binding: 500, visibility, buffer: { type: 'read-only-storage' } });
    groups[3].layout.push({ binding: 501, visibility, buffer: { type: 'storage' } });
    groups[3].group.push({ binding: 500, resource: { buffer: input } });
    groups[3].group.push({ binding: 501, resource: { buffer: output } });

    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: job.wgsl });
    const layouts = groups.map((g) => device.createBindGroupLayout({ entries: g.layout }));
    const layout = device.createPipelineLayout({ bindGroupLayouts: layouts });
    const encoder = device.createCommandEncoder();
    let pass;
    if (job.pixel) {
        pass = encoder.beginRenderPass({
            colorAttachments: [{ view: target, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0] }],
        });
        pass.setPipeline(device.createRenderPipeline({
            layout,
            vertex: { module, entryPoint: 'oracle_vertex' },
            fragment: { module, entryPoint: 'oracle_main', targets: [{ format: 'rgba8unorm' }] },
        }));
    } else {
        pass = encoder.beginComputePass();
        pass.setPipeline(device.createComputePipeline({ layout, compute: { module, entryPoint: 'oracle_main' } }));
    }
    groups.forEach((g, i) => pass.setBindGroup(i, device.createBindGroup({ layout: layouts[i], entries: g.group })));
    if (job.pixel) {
        pass.setScissorRect(0, 0, 8, 8);
        pass.draw(3);
    } else {
        pass.dispatchWorkgroups(job.count / 64);
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
    const views = uploadTextures(device, manifest.textures, data);
    const sampler = device.createSampler({ addressModeU: 'repeat', addressModeV: 'repeat', addressModeW: 'repeat' });
    const target = device.createTexture({ size: [16, 16], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT }).createView();
    const parts = [];
    const lines = [];
    let at = 0;
    let failed = 0;
    for (const job of manifest.jobs) {
        try {
            const bytes = await runJob(device, job, data, views, sampler, target);
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
