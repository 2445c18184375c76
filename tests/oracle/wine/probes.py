# SPDX-License-Identifier: GPL-3.0-or-later
"""Probe files (tests/probes/README.md): their lines, and the jobs that draw one on Wine."""
import re
from dataclasses import dataclass, field

import driver
from driver import COLOR, INPUT, POSITION, TEXCOORD, bits, words

SIZE = 8  # of the target, in pixels
ADDRESS = {"wrap": 1, "mirror": 2, "clamp": 3, "border": 4, "mirroronce": 5}
FILTER = {"none": 0, "point": 1, "linear": 2}
KINDS = {"2d": 2, "cube": 3, "volume": 4}


@dataclass
class Probe:
    name: str
    lines: list = field(default_factory=list)  # (key, the rest), as written

    def all(self, key):
        return [rest.split() for k, rest in self.lines if k == key]

    def text(self, key):
        return next((rest for k, rest in self.lines if k == key), None)

    @property
    def code(self):
        return [int(w, 16) for w in (self.text("code") or "").split()]

    @property
    def vertex(self):
        return self.code[0] >> 16 == 0xFFFE

    @property
    def model(self):
        return self.code[0] >> 8 & 15

    def replace(self, key, rests, after=None):
        """Takes away the lines of `key` and puts these behind the last line of `after`, or at the end."""
        lines = [line for line in self.lines if line[0] != key]
        places = [n for n, line in enumerate(lines) if line[0] == after]
        at = places[-1] + 1 if places else len(lines)
        self.lines = lines[:at] + [(key, rest) for rest in rests] + lines[at:]


def read(path):
    """(what stands before the first probe, frames by name, probes)."""
    head, frames, probes = [], {}, []
    for line in path.read_text().splitlines():
        key, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if key == "probe":
            probes.append(Probe(rest))
        elif not probes:
            head.append(line)
            if key == "frame":
                name, _, body = rest.partition(" ")
                frames[name] = body
        elif key:
            probes[-1].lines.append((key, rest))
    return head, frames, probes


def write(path, head, probes):
    text = "\n".join(head).rstrip("\n") + "\n"
    for probe in probes:
        text += f"\nprobe {probe.name}\n" + "".join(f"    {k} {r}\n" for k, r in probe.lines)
    path.write_text(text)


def assembly(probe, frames):
    """The whole text of a probe's shader."""
    frame, _, body = probe.text("asm").partition(": ")
    if frame not in frames:
        raise SystemExit(f"{probe.name}: no frame {frame}")
    whole = frames[frame].replace("...", body)
    return "".join(line.strip() + "\n" for line in whole.split("|"))


# ---- jobs ----

def number_of(register):
    return int(re.sub(r"\D", "", register) or 0)


def constants(probe):
    stage = "vs" if probe.vertex else "ps"
    for register, *values in probe.all("give"):
        if register[0] == "c":
            yield f"floats {stage} {number_of(register)} {words(bits(v) for v in values)}"
        elif register[0] == "i":
            yield f"ints {stage} {number_of(register)} {words(int(v) & 0xFFFFFFFF for v in values)}"
        elif register[0] == "b":
            yield f"bools {stage} {number_of(register)} {values[0]}"


def texels(kind, size, levels, fill):
    """Words of all texels. `indexed`: a texel is its column, row, slice or face, and level."""
    width, height, depth = size
    out = []
    for level in range(levels):
        w, h, d = (max(1, n >> level) for n in (width, height, depth))
        for z in range(6 if kind == "cube" else d):
            for y in range(h):
                for x in range(w):
                    values = (x, y, z, level) if fill[0] == "indexed" else fill[1:]
                    out += [bits(v) for v in values]
    return out


def textures(probe):
    base = 16 if probe.vertex else 0
    for register, kind, shape, levels, *fill in probe.all("texture"):
        size = [int(n) for n in shape.split("x")] + [1, 1]
        data = texels(kind, size[:3], int(levels), fill)
        yield (f"texture {base + number_of(register)} {kind} {size[0]} {size[1]} {size[2]} "
               f"{levels} {words(data)}")
    for register, *settings in probe.all("sampler"):
        at = base + number_of(register)
        for setting in settings:
            key, value = setting.split("=")
            if key in "uvw":
                yield f"sampler {at} {1 + 'uvw'.index(key)} {ADDRESS[value]:x}"
            elif key == "border":
                colour = [round(float(v) * 255) for v in value.split(",")]
                yield f"sampler {at} 4 {colour[3] << 24 | colour[0] << 16 | colour[1] << 8 | colour[2]:x}"
            elif key == "bias":
                yield f"sampler {at} 8 {bits(value):x}"
            elif key == "level":
                yield f"sampler {at} 9 {int(value):x}"
            else:
                yield f"sampler {at} {('mag', 'min', 'mip').index(key) + 5} {FILTER[value]:x}"


def states(probe):
    """Direct3D's render and texture stage states of the library's `state` values (states.def)."""
    for name, *values in probe.all("state"):
        stage = int(name[name.index("[") + 1:-1]) if "[" in name else 0
        name = name.partition("[")[0]
        if name == "bump_matrix":
            for n, value in enumerate(values):
                yield f"stage {stage} {7 + n} {bits(value):x}"
        elif name in ("bump_lscale", "bump_loffset"):
            yield f"stage {stage} {22 + (name == 'bump_loffset')} {bits(values[0]):x}"
        elif name == "texture_projected":
            yield f"stage {stage} 24 {256 | int(values[0]):x}"
        elif name == "alpha_func":
            yield "render 15 1"
            yield f"render 25 {int(values[0]):x}"
        elif name == "alpha_ref":
            yield f"render 24 {round(float(values[0]) * 255):x}"
        elif name == "shade_flat":
            yield "render 9 1"
        elif name == "fog_mode":
            yield "render 28 1"
            yield f"render 35 {int(values[0]) % 4:x}"
        elif name == "fog_color":
            r, g, b = (round(float(v) * 255) for v in values)
            yield f"render 34 {r << 16 | g << 8 | b:x}"
        elif name in ("fog_start", "fog_end", "fog_density"):
            yield f"render {('fog_start', 'fog_end', 'fog_density').index(name) + 36} {bits(values[0]):x}"
        elif name != "texture_type":
            raise SystemExit(f"{probe.name}: no state {name}")


def given(probe, letter):
    return {r: v for r, *v in probe.all("give") if r[0] == letter}


def place(x, y):
    """A pixel's centre in clip space."""
    return [2 * x / SIZE - 1, 1 - 2 * y / SIZE, 0, 1]


def vertex_job(probe):
    """One point, and a pixel program that shows the outputs that are wanted."""
    attributes = []
    for usage, index, kind, reg, _ in driver.declarations(probe.code):
        if kind != INPUT:
            continue
        attributes.append((usage, index, given(probe, "v").get(f"v{reg}")))
    lines = [f"vs {words(probe.code)}", "points", f"size {SIZE} {SIZE}"]
    vertex = []
    for usage, index, value in attributes:
        if value is None:
            value = place(0, 0) if (usage, index) == (POSITION, 0) else [0, 0, 0, 0]
        lines.append(f"element {usage} {index}")
        vertex += [bits(v) for v in value]
    lines.append(f"vertex {words(vertex)}")
    wanted = [w[0] for w in probe.all("want")]
    outputs = {f"o{reg}": (usage, index) for usage, index, kind, reg, _
               in driver.declarations(probe.code) if kind == driver.OUTPUT}
    varyings = []
    for register in wanted:
        if register == "oFog":
            lines += ["render 28 1", "render 34 0"]  # on, black
            lines.append("ps " + words([0xFFFF0200, 0x05000051, 0xA00F0000, *[bits(1)] * 4,
                                        0x02000001, 0x800F0800, 0xA0E40000, driver.END]))
            return lines
        if register in ("oPos", "oPts"):
            return None
        varyings.append(outputs[register] if register in outputs else
                        (COLOR if register[1] == "D" else TEXCOORD, number_of(register)))
    lines.append(f"targets {len(varyings)}")
    lines.append(f"show {probe.model} " + " ".join(f"{u} {i}" for u, i in varyings))
    return lines


def pixel_inputs(probe):
    """(register, usage, index) of what a pixel program is given."""
    if probe.model == 3:
        return [(f"v{reg}", usage, index) for usage, index, kind, reg, _
                in driver.declarations(probe.code) if kind == INPUT]
    registers = sorted(set(given(probe, "t")) | set(given(probe, "v")))
    return [(r, TEXCOORD if r[0] == "t" else COLOR, number_of(r)) for r in registers]


def pixel_job(probe):
    """Two triangles over the whole target. The corners' attributes are those that give the pixel its own; the
    small part of a pixel by which Wine moves what it draws (1/128) is taken back."""
    inputs = pixel_inputs(probe)
    values = {r: [float(x) for x in v] for r, *v in probe.all("give") if r[0] in "tv"}
    steps = {key: {r: [float(x) for x in v] for r, *v in probe.all(key)} for key in ("dx", "dy")}
    px, py = (int(n) for n in (probe.all("pixel") or [["0", "0"]])[0])
    lines = [f"ps {words(probe.code)}", f"size {SIZE} {SIZE}", "element 0 0"]
    lines += [f"element {TEXCOORD} {n}" for n in range(len(inputs))]
    lines.append(f"pass {probe.model} " + " ".join(f"{u} {i}" for _, u, i in inputs))
    targets = [number_of(w[0]) for w in probe.all("want") if w[0].startswith("oC")]
    lines.append(f"targets {max(targets + [0]) + 1}")
    if any(w[0] == "oDepth" for w in probe.all("want")):
        lines.append("depth")
    corners = [(x, y) for y in (-0.5, SIZE - 0.5) for x in (-0.5, SIZE - 0.5)]
    if probe.all("back"):
        corners = [corners[n] for n in (1, 0, 3, 2)]
    for x, y in corners:
        position = place(x, y)
        position[0] += 1 / 64 / SIZE
        position[1] -= 1 / 64 / SIZE
        vertex = [bits(v) for v in position]
        for register, _, _ in inputs:
            at, zero = values.get(register, [0.0] * 4), [0.0] * 4
            dx, dy = (steps[k].get(register, zero) for k in ("dx", "dy"))
            vertex += [bits(at[k] + dx[k] * (x - px) + dy[k] * (y - py)) for k in range(4)]
        lines.append(f"vertex {words(vertex)}")
    return lines


def job(probe):
    """Lines of a job, None when what is wanted cannot be seen in a picture."""
    lines = vertex_job(probe) if probe.vertex else pixel_job(probe)
    if lines is None:
        return None
    lines = lines + list(constants(probe)) + list(textures(probe)) + list(states(probe))
    return "\n".join([f"job {probe.name}", *lines, "draw", ""])


def shown(word):
    """A float as it is written down: nine digits tell all apart."""
    value = driver.number(word)
    return "nan" if value != value else f"{value:.9g}"


def answer(probe, result):
    """The `wine` lines of what came back."""
    if result is None:
        return ["unseen"]
    if "failed" in result:
        return [f"failed {result['failed']}"]
    px, py = (int(n) for n in (probe.all("pixel") or [["0", "0"]])[0])
    at, out = (py * SIZE + px) * 4, []
    for n, (register, *expected) in enumerate(probe.all("want")):
        if register == "killed":
            register, expected = "oC0", [None] * 4
        target = "depth" if register == "oDepth" else \
            f"target{n if probe.vertex else number_of(register)}"
        pixel = result[target][at:at + 4]
        out.append("killed" if pixel[0] is None else
                   " ".join([register] + [shown(w) for w in pixel[:len(expected)]]))
    return out
