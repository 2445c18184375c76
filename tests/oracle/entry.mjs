// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the entry points of a WGSL text, as far as building a pipeline around each needs: stage,
// name, inputs and outputs with their locations and types, overrides without a value. Says nothing
// about validity; that is for the validators. Both validators build the same pipelines from it.

/** Removes comments, keeping line breaks. */
function withoutComments(text) {
    let out = '';
    let depth = 0;
    for (let i = 0; i < text.length; i++) {
        const two = text.substr(i, 2);
        if (two === '/*') { depth++; i++; continue; }
        if (depth && two === '*/') { depth--; i++; out += ' '; continue; }
        if (depth) { if (text[i] === '\n') out += '\n'; continue; }
        if (two === '//') { while (i < text.length && text[i] !== '\n') i++; out += '\n'; continue; }
        out += text[i];
    }
    return out;
}

/** The index just past the bracket that closes the one at `open`. */
function closing(text, open) {
    const pairs = { '(': ')', '{': '}', '<': '>' };
    const last = pairs[text[open]];
    let depth = 0;
    for (let i = open; i < text.length; i++) {
        if (text[i] === text[open]) depth++;
        else if (text[i] === last && --depth === 0) return i + 1;
    }
    return text.length;
}

/** Splits at commas that no bracket encloses. */
function splitList(text) {
    const parts = [];
    let depth = 0;
    let start = 0;
    for (let i = 0; i < text.length; i++) {
        if ('(<[{'.includes(text[i])) depth++;
        else if (')>]}'.includes(text[i])) depth--;
        else if (text[i] === ',' && depth === 0) { parts.push(text.slice(start, i)); start = i + 1; }
    }
    parts.push(text.slice(start));
    return parts.map((p) => p.trim()).filter((p) => p);
}

/** Takes the attributes off the front of `text`: {attributes: {name: argument}, rest}. */
function attributesOf(text) {
    const attributes = {};
    let rest = text.trim();
    for (;;) {
        const match = /^@\s*(\w+)\s*/.exec(rest);
        if (!match) return { attributes, rest };
        rest = rest.slice(match[0].length);
        let argument = '';
        if (rest[0] === '(') {
            const end = closing(rest, 0);
            argument = rest.slice(1, end - 1).replace(/,\s*$/, '').trim();
            rest = rest.slice(end).trim();
        }
        attributes[match[1]] = argument;
    }
}

/** The scalar ('f32', 'i32', 'u32', 'f16') and lane count of a scalar or vector type. */
function shapeOf(type, aliases) {
    let t = type.replace(/\s+/g, '');
    for (let i = 0; i < 16 && aliases.has(t); i++) t = aliases.get(t);
    const short = { f: 'f32', i: 'i32', u: 'u32', h: 'f16' };
    let match = /^vec([234])([fiuh])$/.exec(t);
    if (match) return { scalar: short[match[2]], lanes: Number(match[1]) };
    match = /^vec([234])<(\w+)>$/.exec(t);
    if (match) return { scalar: match[2], lanes: Number(match[1]) };
    return { scalar: t, lanes: 1 };
}

/** Every entry point of `code`, and the overrides that a pipeline has to give. */
export function entryPoints(code) {
    const text = withoutComments(code);
    const structs = new Map();
    const aliases = new Map();
    for (const match of text.matchAll(/\balias\s+(\w+)\s*=\s*([^;]+);/g)) {
        aliases.set(match[1], match[2].replace(/\s+/g, ''));
    }
    for (const match of text.matchAll(/\bstruct\s+(\w+)\s*\{/g)) {
        const open = match.index + match[0].length - 1;
        structs.set(match[1], splitList(text.slice(open + 1, closing(text, open) - 1)));
    }

    /** The interface values of one argument or result: itself, or its struct's members. */
    function values(attributes, type) {
        const members = structs.get(type.trim());
        const parts = members ? members.map((member) => {
            const { attributes: own, rest } = attributesOf(member);
            return { attributes: own, type: rest.slice(rest.indexOf(':') + 1) };
        }) : [{ attributes, type }];
        return parts.map((part) => ({
            location: 'location' in part.attributes ? parseInt(part.attributes.location, 10) : null,
            builtin: part.attributes.builtin ?? null,
            interpolate: part.attributes.interpolate ?? null,
            ...shapeOf(part.type, aliases),
        }));
    }

    const entries = [];
    const header = /((?:@\s*\w+\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*)+)fn\s+(\w+)\s*\(/g;
    for (const match of text.matchAll(header)) {
        const { attributes } = attributesOf(match[1]);
        const stage = ['vertex', 'fragment', 'compute'].find((s) => s in attributes);
        if (!stage) continue;
        const open = match.index + match[0].length - 1;
        const close = closing(text, open);
        const inputs = splitList(text.slice(open + 1, close - 1)).flatMap((argument) => {
            const { attributes: own, rest } = attributesOf(argument);
            return values(own, rest.slice(rest.indexOf(':') + 1));
        });
        const result = /^\s*->\s*([^{]+)\{/.exec(text.slice(close));
        let outputs = [];
        if (result) {
            const { attributes: own, rest } = attributesOf(result[1]);
            outputs = values(own, rest);
        }
        entries.push({ stage, name: match[2], inputs, outputs });
    }

    const constants = {};
    for (const match of text.matchAll(/(@\s*id\s*\(\s*(\d+)\s*\)\s*)?\boverride\s+(\w+)\s*(:[^;=]+)?;/g)) {
        constants[match[2] ?? match[3]] = 0;
    }
    return { entries, constants };
}

const depthStencil = { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' };

function vertexBuffers(inputs) {
    const formats = { f32: 'float32', i32: 'sint32', u32: 'uint32', f16: 'float16' };
    const attributes = inputs.filter((i) => i.location !== null).map((input, n) => ({
        shaderLocation: input.location,
        offset: 16 * n,
        format: formats[input.scalar] + (input.lanes > 1 ? `x${input.lanes}` : ''),
    }));
    return attributes.length ? [{ arrayStride: 16 * attributes.length, attributes }] : [];
}

/** A vertex shader that writes what the fragment shader reads. */
function vertexFor(inputs) {
    const varyings = inputs.filter((i) => i.location !== null).map((i) => {
        const type = i.lanes > 1 ? `vec${i.lanes}<${i.scalar}>` : i.scalar;
        const how = i.interpolate ? ` @interpolate(${i.interpolate})` : '';
        return `    @location(${i.location})${how} v${i.location} : ${type},\n`;
    });
    const f16 = inputs.some((i) => i.scalar === 'f16') ? 'enable f16;\n' : '';
    return `${f16}struct Out {\n    @builtin(position) position : vec4<f32>,\n${varyings.join('')}}\n` +
        '@vertex fn main() -> Out {\n    var result : Out;\n    return result;\n}\n';
}

/** One small format per target, so that eight fit the default byte limit. */
function targets(outputs) {
    const formats = { f32: 'r8unorm', f16: 'r8unorm', i32: 'r8sint', u32: 'r8uint' };
    const list = [];
    for (const output of outputs) {
        if (output.location === null) continue;
        while (list.length < output.location) list.push(null);
        list[output.location] = { format: formats[output.scalar] };
    }
    return list;
}

/** Creates the pipeline of one entry point. The caller holds the error scope. */
function createPipeline(device, module, entry, constants) {
    const stage = { module, entryPoint: entry.name, constants };
    if (entry.stage === 'compute') {
        device.createComputePipeline({ layout: 'auto', compute: stage });
    } else if (entry.stage === 'vertex') {
        device.createRenderPipeline({
            layout: 'auto',
            vertex: { ...stage, buffers: vertexBuffers(entry.inputs) },
            depthStencil,
        });
    } else {
        const vertex = device.createShaderModule({ code: vertexFor(entry.inputs) });
        device.createRenderPipeline({
            layout: 'auto',
            vertex: { module: vertex, entryPoint: 'main' },
            fragment: { ...stage, targets: targets(entry.outputs) },
            depthStencil,
        });
    }
}

/** Null when `device` takes the module and a pipeline of each entry point, else why not. */
export async function refusalOf(device, code) {
    const oneLine = (error) => String(error.message ?? error).trim().split(/\s*\n\s*/)
        .filter((line) => line).join(' | ').slice(0, 600);

    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    let error = await device.popErrorScope();
    if (error) {
        const info = await module.getCompilationInfo?.();
        const messages = (info?.messages ?? []).filter((m) => m.type === 'error');
        if (!messages.length || !messages[0].lineNum) return oneLine(error);
        return messages.map((m) => `${m.lineNum}:${m.linePos}: ${oneLine(m)}`).join(' | ');
    }

    const { entries, constants } = entryPoints(code);
    for (const entry of entries) {
        device.pushErrorScope('validation');
        let thrown = null;
        try {
            createPipeline(device, module, entry, constants);
        } catch (e) {
            thrown = e;
        }
        error = await device.popErrorScope() ?? thrown;
        if (error) return `pipeline of ${entry.name}: ${oneLine(error)}`;
    }
    return null;
}

/** Validates every file of `files`; prints a line per failure and the closing line. */
export async function validateFiles(device, label, files, read) {
    let failed = 0;
    for (const file of files) {
        const why = await refusalOf(device, read(file));
        if (why === null) continue;
        failed++;
        console.log(`${file}: ${label}: ${why}`);
    }
    console.log(`${files.length - failed} passed, ${failed} failed, 0 skipped`);
    return failed;
}
