// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of interface a pixel program has; both validators take it.
struct cb0_t { Tint : vec4<f32>, rows : array<vec4f, 4> }
@group(0) @binding(64) var<uniform> cb0 : cb0_t;
@group(1) @binding(64) var t0 : texture_2d<f32>;
@group(2) @binding(64) var s0 : sampler;
override state_x : f32;
struct Out { @location(0) Target0 : vec4<f32>, @location(1) Target1 : vec4<f32>, @location(2) Target2 : vec4<f32>, @location(3) Target3 : vec4<f32>, @builtin(frag_depth) Depth : f32 }
@fragment fn main(@location(0) uv : vec2<f32>, @location(3) @interpolate(linear, centroid) c : vec4f, @builtin(position) p : vec4f, @builtin(front_facing) f : bool) -> Out {
  var o : Out; o.Target0 = textureSample(t0, s0, uv) * cb0.Tint + c * state_x; o.Depth = p.x; return o;
}
