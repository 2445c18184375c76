// SPDX-License-Identifier: GPL-3.0-or-later
// Typed vertex inputs and a texture read by the vertex stage; both validators take it.
struct Out { @builtin(position) Position : vec4<f32>, @location(0) TEXCOORD0 : vec4<f32> }
@group(0) @binding(0) var<uniform> c : array<vec4<f32>, 96>;
@group(1) @binding(0) var t0 : texture_2d<f32>;
@group(2) @binding(0) var s0 : sampler;
@vertex fn main(@location(0) POSITION0 : vec4<f32>, @location(1) BI : vec4<u32>, @location(2) x: f32) -> Out {
  var o : Out; o.Position = c[BI.x] * POSITION0 + textureSampleLevel(t0, s0, vec2f(x), 0.0); return o;
}
