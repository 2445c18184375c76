/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses a program: a scan declares the functions, so that calls may precede bodies; then every line in
 * turn. Nothing is folded or numbered on the way, so what is parsed is what was printed.
 */
#include "ir/parse.h"

#include <iridia/text.h>

/* ---- the scan ---- */

typedef IRI_VEC(iri_type) types;

static void add_type(iri_parser *ps, types *list)
{
    iri_type type = iri_take_type(ps);
    iri_push(ps->scratch, list, type);
}

static void take_results(iri_parser *ps, types *results)
{
    if (!iri_accept_mark(ps, '-'))
        return;
    iri_expect_mark(ps, '>');
    do
        add_type(ps, results);
    while (iri_accept_mark(ps, ','));
}

/* After "fn": the name, "(%0: f32, ...)" or, for an external one, "(f32, ...)", and the results. */
static void scan_function(iri_parser *ps, bool external)
{
    types parameters = {0}, results = {0};
    iri_parsed_function f = {0};
    f.name = iri_take_name(ps);
    if (iri_accept_mark(ps, '(')) {
        while (!iri_is_mark(ps, ')')) {
            if (parameters.count)
                iri_expect_mark(ps, ',');
            if (!external) {
                iri_take_value_number(ps);
                iri_expect_mark(ps, ':');
            }
            add_type(ps, &parameters);
            if (!external)
                iri_accept_word(ps, "relaxed");
        }
        iri_next(ps);
    }
    take_results(ps, &results);
    f.id = iri_declare_function(ps->b, f.name, parameters.at, parameters.count, results.at,
                                results.count);
    iri_push(ps->scratch, &ps->functions, f);
}

static void scan(iri_parser *ps)
{
    uint32_t depth = 0;
    bool block = false;
    while (ps->token.kind != IRI_TOKEN_END) {
        bool external = depth == 0 && iri_accept_word(ps, "extern");
        if (depth == 0 && iri_accept_word(ps, "fn")) {
            scan_function(ps, external);
            continue;
        }
        if (external)
            iri_expect_word(ps, "fn");
        if (iri_is_mark(ps, '{'))
            depth++;
        else if (iri_is_mark(ps, '}') && depth)
            depth--;
        /* "block @b3 {": only in functions of CFG form */
        if (depth == 1 && block && iri_is_mark(ps, '@') && ps->functions.count)
            ps->functions.at[ps->functions.count - 1].block_count++;
        block = iri_is_word(ps, "block");
        iri_next(ps);
    }
}

/* ---- functions ---- */

static void parse_locals(iri_parser *ps)
{
    ps->locals.count = 0;
    ps->first_local = iri_builder_program(ps->b)->local_count;
    while (iri_accept_word(ps, "local")) {
        iri_token where = ps->token;
        iri_local local = {0};
        local.name = iri_take_name(ps);
        iri_expect_mark(ps, ':');
        local.type = iri_take_type(ps);
        if (iri_accept_mark(ps, '[')) {
            local.length = iri_take_number(ps, UINT32_MAX);
            iri_expect_mark(ps, ']');
        }
        local.init = iri_accept_word(ps, "zero")         ? IRI_LOCAL_ZERO
                     : iri_accept_word(ps, "zero_noted") ? IRI_LOCAL_ZERO_NOTED
                                                         : IRI_LOCAL_UNSET;
        iri_id id = iri_add_local(ps->b, &local);
        iri_parse_check(ps, &where);
        if (!ps->locals.count)
            ps->first_local = id;
        iri_push(ps->scratch, &ps->locals, local.name);
    }
}

/* "(%0: f32, %1: bool)", bound to the ids given, or to those `block` gets when it is one. */
static void parse_parameters(iri_parser *ps, iri_id block, const iri_id *given)
{
    IRI_VEC(iri_parsed_value) list = {0};
    types of = {0};
    if (iri_accept_mark(ps, '(')) {
        while (!iri_is_mark(ps, ')')) {
            if (list.count)
                iri_expect_mark(ps, ',');
            iri_parsed_value parameter = iri_take_typed_value(ps);
            iri_push(ps->scratch, &list, parameter);
            iri_push(ps->scratch, &of, parameter.type);
        }
        iri_next(ps);
    }
    if (block) {
        iri_id *ids = iri_new_array(ps->scratch, iri_id, list.count + 1u);
        iri_begin_cfg_block(ps->b, block, of.at, of.count, ids);
        given = ids;
    }
    for (uint32_t i = 0; i < list.count; i++)
        iri_bind_value(ps, &list.at[i], given[i]);
}

static void parse_blocks(iri_parser *ps, uint32_t count)
{
    bool *seen = iri_new_array(ps->scratch, bool, count);
    ps->block_count = count;
    ps->body = iri_begin_cfg(ps->b, count);
    for (uint32_t i = 0; iri_accept_word(ps, "block"); i++) {
        iri_expect_mark(ps, '@');
        iri_token where = ps->token;
        uint32_t number = 0;
        bool good =
            where.kind == IRI_TOKEN_WORD && where.size > 1 && where.size < 9 && *where.at == 'b';
        for (uint32_t k = 1; good && k < where.size; k++) {
            good = where.at[k] >= '0' && where.at[k] <= '9';
            number = number * 10 + (uint32_t)(where.at[k] - '0');
        }
        if (!good || number >= count || seen[number] || (i == 0) != (number == 0))
            iri_parse_fail(ps, &where, "blocks are @b0, which comes first, to @b%lu, each once",
                           (unsigned long)count - 1);
        seen[number] = true;
        iri_next(ps);
        parse_parameters(ps, number ? ps->body + number : 0, NULL);
        iri_parse_check(ps, &where);
        iri_expect_mark(ps, '{');
        iri_parse_region(ps);
    }
    iri_expect_mark(ps, '}');
}

/* After "fn", the function known from the scan. */
static void parse_function(iri_parser *ps, const iri_parsed_function *f, bool external)
{
    types none = {0};
    if (external) {
        iri_take_name(ps);
        if (iri_accept_mark(ps, '(')) {
            while (!iri_accept_mark(ps, ')'))
                iri_next(ps);
        }
        take_results(ps, &none);
        return;
    }
    const iri_function *function = &iri_builder_program(ps->b)->functions[f->id];
    iri_id *ids = iri_new_array(ps->scratch, iri_id, function->external_count + 1u);
    iri_token where = ps->token;
    iri_map_init(&ps->values, ps->scratch);
    iri_map_init(&ps->labels, ps->scratch);
    ps->offset = IRI_NO_OFFSET;
    ps->depth = 0;
    iri_set_relaxed(ps->b, false);
    iri_set_offset(ps->b, IRI_NO_OFFSET);
    iri_begin_declared(ps->b, f->id, ids);
    iri_parse_check(ps, &where);
    iri_take_name(ps);
    parse_parameters(ps, 0, ids);
    take_results(ps, &none);
    bool cfg = iri_accept_word(ps, "cfg");
    iri_expect_mark(ps, '{');
    parse_locals(ps);
    ps->block_count = 0;
    if (cfg && !f->block_count)
        iri_parse_fail(ps, &ps->token, "block expected");
    if (cfg)
        parse_blocks(ps, f->block_count);
    else
        iri_parse_region(ps);
    iri_end_function(ps->b);
    iri_parse_check(ps, &where);
}

/* ---- the program ---- */

static void parse_version(iri_parser *ps)
{
    if (!iri_accept_word(ps, "iridia"))
        return;
    iri_expect_mark(ps, '-');
    iri_expect_word(ps, "ir");
    iri_token where = ps->token;
    uint32_t version = iri_take_number(ps, UINT32_MAX);
    if (version != IRI_TEXT_VERSION)
        iri_parse_fail(ps, &where, "version %lu of the text form; this is version %d",
                       (unsigned long)version, IRI_TEXT_VERSION);
}

/* Without a `program` line the entry is `main`. */
static iri_id find_main(const iri_parser *ps)
{
    for (uint32_t i = 0; i < ps->functions.count; i++)
        if (!strcmp(ps->functions.at[i].name, "main"))
            return ps->functions.at[i].id;
    return 0;
}

static void start(iri_parser *ps, const char *text, size_t size)
{
    ps->at = ps->line_start = text;
    ps->end = text + size;
    ps->line = 1;
    iri_next(ps);
}

iri_program *iri_parse_program(iri_ctx *ctx, iri_arena *scratch, const char *text, size_t size,
                               iri_builder **builder)
{
    iri_parser *ps = iri_new(scratch, iri_parser);
    uint32_t next = 0;
    ps->ctx = ctx;
    ps->scratch = scratch;
    *builder = ps->b = iri_builder_make(ctx, scratch, IRI_STAGE_NONE, 0);
    start(ps, text, size);
    scan(ps);
    start(ps, text, size);
    parse_version(ps);
    while (ps->token.kind != IRI_TOKEN_END) {
        iri_token where = ps->token;
        bool external = iri_accept_word(ps, "extern");
        if (iri_accept_word(ps, "fn")) {
            if (next == ps->functions.count)
                iri_parse_fail(ps, &where, "the braces before do not pair up");
            parse_function(ps, &ps->functions.at[next], external);
            next++;
        } else if (external || !iri_parse_header_line(ps)) {
            iri_parse_fail(ps, &where, "a function or a line of the header expected, not '%.*s'",
                           (int)(where.size < 40 ? where.size : 40), where.at);
        }
    }
    iri_builder_program(ps->b)->entry = ps->has_program ? ps->entry : find_main(ps);
    return iri_builder_finish(ps->b);
}
