/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/iridia.h: everything. Turns compiled Direct3D shaders into small, typed, validated programs, and those
 * into WGSL and SPIR-V.
 */
#ifndef IRIDIA_IRIDIA_H
#define IRIDIA_IRIDIA_H

#include <iridia/assembly.h>
#include <iridia/build.h>
#include <iridia/effect.h>
#include <iridia/exec.h>
#include <iridia/link.h>
#include <iridia/pass.h>
#include <iridia/preshader.h>
#include <iridia/program.h>
#include <iridia/read.h>
#include <iridia/refusal.h>
#include <iridia/sampler.h>
#include <iridia/scan.h>
#include <iridia/spirv.h>
#include <iridia/text.h>
#include <iridia/write.h>

#endif
