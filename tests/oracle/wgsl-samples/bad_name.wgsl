// SPDX-License-Identifier: GPL-3.0-or-later
// A name that nothing declares.
@fragment fn main() -> @location(0) vec4<f32> { return vec4<f32>(x); }
