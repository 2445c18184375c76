/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small programs that stand beside the one that is looked at. `varyings` has a usage (D3DDECLUSAGE) and an
 * index for each; `major` is the shader model of the other program. All return how many tokens they wrote, at
 * most COMPANION_TOKENS.
 */
#ifndef IRI_TESTS_ORACLE_COMPANIONS_H
#define IRI_TESTS_ORACLE_COMPANIONS_H

enum { COMPANION_TOKENS = 256, COMPANION_VARYINGS = 12 };

/* A vertex program: attribute POSITION 0 is the position, TEXCOORD n becomes varying n. */
unsigned companion_pass(unsigned major, const unsigned (*varyings)[2], unsigned count,
                        unsigned long *tokens);
/* A pixel program: up to four varyings to the targets. */
unsigned companion_show(unsigned major, const unsigned (*varyings)[2], unsigned count,
                        unsigned long *tokens);

#endif
