// SPDX-License-Identifier: GPL-3.0-or-later
// A vertex input above the default limit: only a pipeline shows it.
@vertex fn main(@location(40) p : vec4<f32>) -> @builtin(position) vec4<f32> { return p; }
