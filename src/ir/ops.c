/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of ops.def as data.
 */
#include "ir/program.h"

#include <string.h>

const iri_op_info iri_op_infos[IRI_OP_COUNT] = {
    [IRI_OP_NONE] = {"", '-', "", "", "", 0},
#define IRI_OP(id, name, type_class, results, operands, immediates, properties, lane) \
    [IRI_OP_##id] = {name, type_class, results, operands, immediates, properties},
#include <iridia/ops.def>
#undef IRI_OP
};

const iri_op_info *iri_op_get_info(iri_op op)
{
    return op > IRI_OP_NONE && op < IRI_OP_COUNT ? &iri_op_infos[op] : NULL;
}

iri_op iri_op_by_name(const char *name, size_t size)
{
    if (!name || !size)
        return IRI_OP_NONE;
    for (int op = IRI_OP_NONE + 1; op < IRI_OP_COUNT; op++) {
        const char *known = iri_op_infos[op].name;
        if (known[0] == name[0] && strncmp(known, name, size) == 0 && !known[size])
            return (iri_op)op;
    }
    return IRI_OP_NONE;
}
