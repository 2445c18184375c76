/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parsing the text form; docs/text.md is its grammar. parse_lex.c has tokens, names and literals,
 * parse_header.c what stands above the functions, parse.c functions, parse_inst.c instructions.
 */
#ifndef IRI_IR_PARSE_H
#define IRI_IR_PARSE_H

#include "base/map.h"
#include "ir/emit.h"

/* Parses a program; fails with IRI_INVALID_TEXT. `*builder` is what the entry discards when that happens. */
iri_program *iri_parse_program(iri_ctx *ctx, iri_arena *scratch, const char *text, size_t size,
                               iri_builder **builder);

/* ---- the parser's own parts ---- */

typedef enum iri_token_kind {
    IRI_TOKEN_END = 0,
    IRI_TOKEN_WORD, /* a letter or _, then letters, digits, _ */
    IRI_TOKEN_NUMBER, /* a digit, then digits, letters, '.' before a digit, a sign after an exponent's e */
    IRI_TOKEN_STRING, /* quotes included */
    IRI_TOKEN_VALUE,  /* % and digits */
    IRI_TOKEN_MARK    /* one character */
} iri_token_kind;

typedef struct iri_token {
    iri_token_kind kind;
    const char *at;
    uint32_t size;
    uint32_t line, column;
    bool spaced; /* white space or a comment before it */
} iri_token;

/* A function found by the scan that goes before parsing, so that calls can precede bodies. */
typedef struct iri_parsed_function {
    iri_id id;
    const char *name;
    uint32_t block_count;
} iri_parsed_function;

enum { IRI_PARSE_MEMBERS = 32 /* structs inside each other */ };

typedef struct iri_parser {
    iri_ctx *ctx;
    iri_arena *scratch;
    iri_builder *b;
    const char *at, *end, *line_start;
    uint32_t line;
    iri_token token; /* the next, not taken yet */
    IRI_VEC(iri_parsed_function) functions;
    bool has_program; /* a `program` line was there */
    iri_id entry;     /* named on it, 0 when none is */
    /* Of the function being parsed. */
    iri_map values, labels; /* number -> id, label */
    IRI_VEC(const char *) locals;
    iri_id first_local, body;
    uint32_t block_count;
    uint32_t depth;
    uint32_t offset; /* the last source offset given */
} iri_parser;

_Noreturn void iri_parse_fail(iri_parser *ps, const iri_token *where, const char *format, ...)
    IRI_PRINTF(3, 4);
/* Fails with the builder's fault when there is one. */
void iri_parse_check(iri_parser *ps, const iri_token *where);

void iri_next(iri_parser *ps);
bool iri_is_mark(const iri_parser *ps, char c);
bool iri_accept_mark(iri_parser *ps, char c);
void iri_expect_mark(iri_parser *ps, char c);
bool iri_is_word(const iri_parser *ps, const char *word);
bool iri_accept_word(iri_parser *ps, const char *word);
void iri_expect_word(iri_parser *ps, const char *word);
/* A decimal or 0x number of at most `most`. */
uint32_t iri_take_number(iri_parser *ps, uint32_t most);
uint32_t iri_take_value_number(iri_parser *ps); /* the digits after % */
const char *iri_take_string(iri_parser *ps);    /* decoded, in scratch */
bool iri_is_name(const iri_parser *ps);
const char *iri_take_name(iri_parser *ps); /* a word or a string */
uint32_t iri_take_word(iri_parser *ps, iri_vocabulary vocabulary, const char *what);
iri_type iri_take_type(iri_parser *ps);
iri_lanes iri_take_lanes(iri_parser *ps); /* ".xyz" */
/* Whether a literal begins here, and it. */
bool iri_is_literal(const iri_parser *ps);
iri_type iri_take_literal(iri_parser *ps, uint64_t lanes[4]);

/* "name" or "#3": the function's position in `functions`. */
uint32_t iri_take_function(iri_parser *ps);
/* Everything but functions; false when no such line begins here. */
bool iri_parse_header_line(iri_parser *ps);
/* Instructions up to the closing brace, which is taken. */
void iri_parse_region(iri_parser *ps);
/* "%4: f32 relaxed" without the number's meaning. */
typedef struct iri_parsed_value {
    uint32_t number;
    iri_type type;
    bool relaxed;
    iri_token token;
} iri_parsed_value;
iri_parsed_value iri_take_typed_value(iri_parser *ps);
void iri_bind_value(iri_parser *ps, const iri_parsed_value *parsed, iri_id value);

#endif
