// SPDX-License-Identifier: GPL-3.0-or-later
// A binding above the default limit: only a pipeline shows it.
@group(0) @binding(5000) var<uniform> c : vec4<f32>;
@fragment fn main() -> @location(0) vec4<f32> { return c; }
