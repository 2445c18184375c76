/* SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "ir/emit_internal.h"
iri_id iri_fold(iri_builder *b, iri_op op, iri_type type, iri_id *operands, uint32_t operand_count,
                const uint32_t *immediates)
{
    (void)b, (void)op, (void)type, (void)operands, (void)operand_count, (void)immediates;
    return 0;
}
