/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that WGSL keeps for itself (words.def).
 */
#include "write/wgsl/words.h"

#include <string.h>

/* One text a first character; a word is looked for in its row only. */
static const char *const rows[] = {
#define IRI_WORDS(words) words,
#include "write/wgsl/words.def"
#undef IRI_WORDS
};

bool iri_wgsl_is_reserved(const char *name)
{
    size_t size = strlen(name);
    if (size >= 2 && name[0] == '_' && name[1] == '_')
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i][0] != name[0])
            continue;
        for (const char *at = strstr(rows[i], name); at; at = strstr(at + 1, name))
            if ((at == rows[i] || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
                return true;
    }
    return false;
}
