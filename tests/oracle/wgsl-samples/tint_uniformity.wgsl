// SPDX-License-Identifier: GPL-3.0-or-later
// A derivative in non-uniform flow: Tint refuses it, naga does not look.
@group(1) @binding(0) var t0 : texture_2d<f32>;
@group(2) @binding(0) var s0 : sampler;
@fragment fn main(@location(0) uv : vec2<f32>) -> @location(0) vec4<f32> { if (uv.x > 0.5) { return textureSample(t0, s0, uv); } return vec4f(0); }
