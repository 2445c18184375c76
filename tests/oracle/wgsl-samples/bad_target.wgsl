// SPDX-License-Identifier: GPL-3.0-or-later
// A render target above the default limit: only a pipeline shows it.
@fragment fn main() -> @location(9) vec4<f32> { return vec4f(0); }
