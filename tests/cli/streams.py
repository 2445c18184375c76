# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct3D 9 token streams made and found by the tests of listings: one of every instruction, register and modifier
for each model, and those inside any file. A second reading of the format, small and apart from the library's."""
import itertools
import re
import struct
from pathlib import Path

OPS = Path("src/read/d3d9/ops.def")
MODELS = Path("src/read/d3d9/models.def")
END, COMMENT, PHASE = 0xffff, 0xfffe, 0xfffd
PREDICATED, COISSUED, INDEXED = 1 << 28, 1 << 30, 0x2000


def models():
    """Name to version word, in the table's order."""
    return {name: int(word, 16) for name, word in
            re.findall(r'^IRI_D3D9_MODEL\(\w+, +"(\w+)", +\w+, +(0x\w+)\)', MODELS.read_text(), re.M)}


def rows():
    """Rows of the opcode table: name, number, first and last model of both stages, operand letters, flags."""
    found = re.findall(r'^IRI_D3D9_OP\(\w+, +"(\w+)", +(\w+), +(\w+), +(\w+), +(\w+), +(\w+), +"(\w*)", +([\w |]+)\)',
                       OPS.read_text(), re.M)
    return [(name, int(number, 0), (vs, vs_last), (ps, ps_last), operands, flags)
            for name, number, vs, vs_last, ps, ps_last, operands, flags in found]


def token(kind, number):
    return 0x80000000 | (kind & 7) << 28 | (kind & 0x18) << 8 | number


def destination(kind=0, number=0, mask=15, modifier=0, shift=0):
    return token(kind, number) | mask << 16 | modifier << 20 | (shift & 15) << 24


def source(kind=0, number=0, swizzle=0xe4, modifier=0):
    return token(kind, number) | swizzle << 16 | modifier << 24


class Stream:
    def __init__(self, name):
        self.version = models()[name]
        self.sized = self.version >> 8 & 0xff >= 2
        self.words = [self.version]

    def add(self, opcode, *operands, bits=0):
        length = len(operands) << 24 if self.sized else 0
        self.words += [opcode | length | bits, *operands]

    def data(self):
        return struct.pack(f"<{len(self.words) + 1}I", *self.words, END)


def has_row(name, row):
    order = [model.upper() for model in models()]
    first, last = row[2] if name.startswith("vs") else row[3]
    return first != "NONE" and order.index(first) <= order.index(name.upper()) <= order.index(last)


def operands_of(letters):
    """One operand each: registers that differ, so that their order shows."""
    made, number = [], 1
    for letter in letters:
        kinds = {"t": 10, "l": 18, "i": 7, "b": 14, "p": 19, "a": 15}
        if letter == "U":
            made.append(0x80000005)
        elif letter in "FI":
            made += [0x3f800000, 0xbf000000, 0, 7]
        elif letter == "B":
            made.append(1)
        elif letter in "dk":
            made.append(destination(2 if "F" in letters else 7 if "I" in letters else 14 if "B" in letters else 0))
        else:
            made.append(source(kinds.get(letter, 0), number))
            number += 1
    return made


def add_instructions(s, name):
    for row in rows():
        if not has_row(name, row):
            continue
        controls = range(8) if "COMPARE" in row[5] else range(4) if "CONTROL" in row[5] else [0]
        for control in controls:
            s.add(row[1], *operands_of(row[4]), bits=control << 16)


def add_operands(s):
    relative = [source(3, 0, 0x55)] if s.sized else []
    for modifier, shift in itertools.chain(((m, 0) for m in range(16)), ((m % 8, m) for m in range(16))):
        s.add(1, destination(modifier=modifier, shift=shift, mask=shift), source())
    for modifier in range(16):
        s.add(1, destination(), source(modifier=modifier))
        s.add(1, destination(), source(2, 5, 0x1b, modifier) | INDEXED, *relative)
    for kind, number in itertools.product(range(32), (0, 1, 2, 3, 2047)):
        if kind not in (16, *range(20, 32)): # not registers
            s.add(1, destination(kind, number, 3), source(kind, number, 0))
    for swizzle in range(0, 256, 5):
        s.add(2, destination(mask=swizzle % 16), source(swizzle=swizzle), source(1, 0, 255 - swizzle))
    for index in (source(3, 0, 0), source(3), source(3, 1, 0x1b), source(15), source(15, 0, 0x55)) if s.sized else ():
        for kind in (1, 2, 11, 12, 13):
            s.add(1, destination(), source(kind, 7) | INDEXED, index)
        s.add(1, destination(6, 3) | INDEXED, index, source())


def add_declarations(s):
    for usage, index in itertools.product(range(16), (0, 1, 15)):
        s.add(31, 0x80000000 | usage | index << 16, destination(1, index, 3))
    for texture, kind in itertools.product(range(16), (10, 1)):
        s.add(31, 0x80000000 | texture << 27, destination(kind, 2, modifier=texture % 8))
    for kind, number, mask in itertools.product((17, 3, 6), (0, 1), (0, 3, 15)):
        s.add(31, 0x80000000, destination(kind, number, mask))
    values = [0, 0x80000000, 0x3f800000, 0xbf800000, 0x3dcccccd, 0x3eaaaaab, 0x4e6e6b28, 0x4cbebc20, 0x501502f9,
              0x38d1b717, 0x3727c5ac, 0x7f7fc99e, 0x006ce3ee, 1, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
              0x7f800001, 0xff800001, 0x39000000, 0x38800000, 0x39c00000, 0x3a600000, 0x4e6e6b27, 0x4b800001,
              0x2f800000, 0x807fffff]
    for i in range(0, len(values), 4):
        s.add(81, destination(2, i), *values[i:i + 4])
    s.add(48, destination(7, 1), 0, 0xffffffff, 0x80000000, 0x7fffffff)
    for value in (0, 1, 2, 0xffffffff):
        s.add(47, destination(14, 1), value)


def add_flow(s):
    """Indentation, co-issue, predicates: also where the model has none of them."""
    for _ in range(2):
        s.add(40, source(14))
        s.add(41, source(), source(0, 1), bits=1 << 16)
        s.add(38, source(7))
        s.add(27, source(15), source(7))
    s.add(1, destination(), source())
    s.add(42)
    for opcode in (29, 39, 43, 43, 29, 39, 43, 43, 43):
        s.add(opcode)
        s.add(2, destination(), source(), source(0, 1))
        s.add(1, destination(), source(), bits=COISSUED)
    s.add(20, destination(), source(), source(2), bits=COISSUED)
    if s.sized:
        for swizzle, modifier in itertools.product((0xe4, 0, 0x55, 0xaa, 0xff, 0x1b), (0, 13)):
            s.add(1, destination(), source(19, 0, swizzle, modifier), source(), bits=PREDICATED)
            s.add(96, source(19, 0, swizzle, modifier))
        s.add(81, destination(2), source(19), 0, 0, 0, 0, bits=PREDICATED)
        s.add(1, destination(6, 1) | INDEXED, source(15), source(19), source(2, 1), bits=PREDICATED)
        s.add(93, destination(), source(19), source(), source(10), source(), source(), bits=PREDICATED)


def systematic(name):
    """One of everything, as the model `name`."""
    s = Stream(name)
    add_declarations(s)
    add_instructions(s, name)
    add_operands(s)
    add_flow(s)
    return s.data()


def length_at(words, at):
    """Words through the end token of the stream whose version is at `at`; None when it is none."""
    version, i = words[at], at + 1
    while i < len(words):
        word = words[i]
        if word == END:
            return i + 1 - at
        opcode = word & 0xffff
        if word >> 31 or (opcode > 96 and opcode not in (COMMENT, PHASE)):
            return None
        if opcode == COMMENT:
            i += 1 + (word >> 16)
        elif version >> 8 & 0xff >= 2:
            i += 1 + (word >> 24 & 15)
        elif opcode == 81:
            i += 6
        else:
            i += 1
            while i < len(words) and words[i] >> 31:
                i += 1
    return None


def inside(data):
    """The token streams in any bytes, as (offset, bytes)."""
    known = set(models().values())
    found, free = [], 0
    for match in re.finditer(rb"(?=[\x00-\x04\xff][\x01-\x03][\xfe\xff]\xff)", data):
        offset = match.start()
        words = memoryview(data)[offset:offset + (len(data) - offset) // 4 * 4].cast("I")
        if offset < free or words[0] not in known:
            continue
        length = length_at(words, 0)
        if length:
            found.append((offset, data[offset:offset + 4 * length]))
            free = offset + 4 * length
    return found


def instructions(data):
    """The words of each instruction, as (first, past the last)."""
    words = memoryview(data).cast("I")
    found, i = [], 1
    while words[i] != END:
        if words[i] & 0xffff == COMMENT:
            i += 1 + (words[i] >> 16)
            continue
        begin = i
        if words[0] >> 8 & 0xff >= 2:
            i += 1 + (words[i] >> 24 & 15)
        elif words[i] & 0xffff == 81:
            i += 6
        else:
            i += 1
            while words[i] >> 31:
                i += 1
        found.append((begin, i))
    return found


def instruction_offsets(data):
    return [4 * begin for begin, _ in instructions(data)]


def code_of(data):
    """A stream without its comments."""
    return data[:4] + b"".join(data[4 * begin:4 * end] for begin, end in instructions(data)) + struct.pack("<I", END)
