// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the functions of FOLDER/preshaders.mjs on FOLDER/input.bin and writes what they set to FOLDER/javascript.bin;
// tests/oracle/preshaders.c says how they lie there. Usage: node preshaders.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const functions = await import(pathToFileURL(`${folder}/preshaders.mjs`));
const input = readFileSync(`${folder}/input.bin`);
const words = [];
let at = 0;
for (let k = 0; functions[`preshader_${k}`]; k++) {
    const preshader = functions[`preshader_${k}`];
    const p = new Float32Array(preshader.size), c = new Float32Array(8192 * 4);
    const i = new Int32Array(8192 * 4), b = [];
    const bits = new Uint32Array(c.buffer);
    for (let set = 0; set < 64; set++) {
        new Uint8Array(p.buffer).set(input.subarray(at, at += 4 * preshader.size));
        preshader(p, c, i, b);
        for (const register of preshader.registers) {
            const number = parseInt(register.slice(1));
            if (register[0] === 'b')
                words.push(b[number]);
            else
                for (const lane of register.split('.')[1])
                    words.push((register[0] === 'c' ? bits : i)[number * 4 + 'xyzw'.indexOf(lane)] >>> 0);
        }
    }
}
writeFileSync(`${folder}/javascript.bin`, new Uint8Array(Uint32Array.from(words).buffer));
