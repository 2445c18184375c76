/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that WGSL keeps for itself (words.def).
 */
#include "write/wgsl/words.h"

typedef struct word {
    uint8_t size;
    char text[31];
} word;

#define IRI_WORD(text) {sizeof(text) - 1, text},
#define IRI_WORDS(letter, name, words) static const word words_##name[] = {words};
#include "write/wgsl/words.def"
#undef IRI_WORDS
#undef IRI_WORD

/* By first letter; `sizes` has a bit for each length of a word. */
static const struct {
    const word *words;
    uint32_t count, sizes;
} rows['z' - 'A' + 1] = {
#define IRI_WORD(text) | UINT32_C(1) << (sizeof(text) - 1)
#define IRI_WORDS(letter, name, words) \
    [letter - 'A'] = {words_##name, sizeof words_##name / sizeof *words_##name, 0 words},
#include "write/wgsl/words.def"
#undef IRI_WORDS
#undef IRI_WORD
};

bool iri_wgsl_is_reserved(iri_str name)
{
    if (name.size >= 2 && name.at[0] == '_' && name.at[1] == '_')
        return true;
    if (!name.size || name.size > 31 || name.at[0] < 'A' || name.at[0] > 'z' ||
        !(rows[name.at[0] - 'A'].sizes >> name.size & 1))
        return false;
    const word *words = rows[name.at[0] - 'A'].words;
    size_t count = rows[name.at[0] - 'A'].count, last = name.size - 1;
    for (size_t i = 0; i < count; i++)
        if (words[i].size == name.size && words[i].text[last] == name.at[last] &&
            memcmp(words[i].text, name.at, name.size) == 0)
            return true;
    return false;
}
