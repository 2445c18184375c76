/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of statements and how it is laid out: `else if` chains, `while` where a loop begins with
 * its way out, no empty arms.
 */
#include "write/wgsl/wgsl.h"

#include <stddef.h>

static bool holds_statements(iri_stmt_kind kind)
{
    return kind == IRI_STMT_IF || kind == IRI_STMT_LOOP || kind == IRI_STMT_SWITCH ||
           kind == IRI_STMT_CASE;
}

iri_stmt *iri_stmt_add(iri_wgsl *w, iri_stmt_kind kind, iri_str to, iri_str text)
{
    /* What holds no statements ends before what it would hold them in. */
    bool holds = holds_statements(kind);
    iri_stmt *s = iri_arena_take(w->arena, holds ? sizeof *s : offsetof(iri_stmt, body));
    s->kind = kind;
    s->level = IRI_LEVEL_ANY;
    s->to = to;
    s->text = text;
    s->origin = w->origin;
    s->next = NULL;
    if (holds) {
        s->body = s->other = (iri_stmt_list){NULL, NULL};
        s->opposite = IRI_STR_NONE;
    }
    if (w->list->last)
        w->list->last->next = s;
    else
        w->list->first = s;
    w->list->last = s;
    return s;
}

static void put_opposite(iri_buf *out, const iri_stmt *s)
{
    iri_wgsl_expr e = {.text = s->text, .level = s->level};
    if (s->opposite.at) {
        iri_buf_put(out, s->opposite);
        return;
    }
    iri_buf_char(out, '!');
    iri_buf_put(out, iri_wgsl_open(e, IRI_LEVEL_UNARY));
    iri_buf_put(out, s->text);
    iri_buf_put(out, iri_wgsl_close(e, IRI_LEVEL_UNARY));
}

/* `if (way out) { break; }` at the head of a loop. */
static const iri_stmt *way_out(const iri_stmt *loop)
{
    const iri_stmt *s = loop->body.first;
    if (!s || s->kind != IRI_STMT_IF)
        return NULL;
    if (s->body.first && s->body.first == s->body.last && s->body.first->kind == IRI_STMT_BREAK &&
        !s->other.first)
        return s;
    return NULL;
}

static void print_if(iri_wgsl *w, iri_buf *out, const iri_stmt *s, uint32_t indent)
{
    for (;;) {
        const iri_stmt_list *body = &s->body, *other = &s->other;
        if (w->origins)
            iri_wgsl_origin_said(w, s, out, out->size);
        iri_buf_put(out, IRI_STR("if ("));
        if (body->first) {
            iri_buf_put(out, s->text);
        } else {
            put_opposite(out, s);
            body = other;
            other = &s->body;
        }
        iri_buf_put(out, IRI_STR(") {\n"));
        iri_stmt_print(w, out, body, indent + 4);
        iri_buf_indent(out, indent);
        if (!other->first) {
            iri_buf_put(out, IRI_STR("}\n"));
            return;
        }
        if (other->first != other->last || other->first->kind != IRI_STMT_IF) {
            iri_buf_put(out, IRI_STR("} else {\n"));
            iri_stmt_print(w, out, other, indent + 4);
            iri_buf_indent(out, indent);
            iri_buf_put(out, IRI_STR("}\n"));
            return;
        }
        iri_buf_put(out, IRI_STR("} else "));
        s = other->first;
    }
}

/* A line that ends in a value. */
static void print_line(iri_buf *out, iri_str keyword, iri_str to, iri_str between, iri_str text,
                       uint32_t indent)
{
    iri_buf_put(out, keyword);
    iri_buf_put(out, to);
    iri_buf_put(out, between);
    iri_wgsl_put_wrapped(out, text, indent, indent + keyword.size + to.size + between.size);
    iri_buf_put(out, IRI_STR(";\n"));
}

static void print_block(iri_wgsl *w, iri_buf *out, const iri_stmt_list *body, uint32_t indent)
{
    iri_buf_put(out, IRI_STR(" {\n"));
    iri_stmt_print(w, out, body, indent + 4);
    iri_buf_indent(out, indent);
    iri_buf_put(out, IRI_STR("}\n"));
}

static void print_loop(iri_wgsl *w, iri_buf *out, const iri_stmt *s, uint32_t indent)
{
    const iri_stmt *first = way_out(s);
    iri_stmt_list body = s->body;
    if (first) {
        iri_buf_put(out, IRI_STR("while ("));
        if (w->origins) {
            iri_wgsl_origin_said(w, first, out, out->size);
            iri_wgsl_origin_said(w, first->body.first, out, out->size);
        }
        put_opposite(out, first);
        iri_buf_char(out, ')');
        body.first = first->next;
    } else {
        iri_buf_put(out, IRI_STR("loop"));
    }
    print_block(w, out, &body, indent);
}

static void print_statement(iri_wgsl *w, iri_buf *out, const iri_stmt *s, uint32_t indent)
{
    const iri_str none = IRI_STR_NONE, equals = IRI_STR(" = ");
    const size_t start = out->size;
    const bool held = holds_statements(s->kind); /* they say themselves */
    if (w->origins && held && s->kind != IRI_STMT_IF)
        iri_wgsl_origin_said(w, s, out, start);
    iri_buf_indent(out, indent);
    switch (s->kind) {
    case IRI_STMT_LINE: print_line(out, none, none, none, s->text, indent); break;
    case IRI_STMT_LET: print_line(out, IRI_STR("let "), s->to, equals, s->text, indent); break;
    case IRI_STMT_VAR: print_line(out, IRI_STR("var "), s->to, equals, s->text, indent); break;
    case IRI_STMT_DECLARE:
        print_line(out, IRI_STR("var "), s->to, IRI_STR(": "), s->text, indent);
        break;
    case IRI_STMT_ASSIGN: print_line(out, none, s->to, equals, s->text, indent); break;
    case IRI_STMT_BREAK: iri_buf_put(out, IRI_STR("break;\n")); break;
    case IRI_STMT_CONTINUE: iri_buf_put(out, IRI_STR("continue;\n")); break;
    case IRI_STMT_RETURN:
        if (s->text.at)
            print_line(out, IRI_STR("return "), none, none, s->text, indent);
        else
            iri_buf_put(out, IRI_STR("return;\n"));
        break;
    case IRI_STMT_IF: print_if(w, out, s, indent); break;
    case IRI_STMT_LOOP: print_loop(w, out, s, indent); break;
    case IRI_STMT_SWITCH:
        iri_buf_put(out, IRI_STR("switch "));
        iri_buf_put(out, s->text);
        print_block(w, out, &s->body, indent);
        break;
    case IRI_STMT_CASE:
        iri_buf_put(out, s->text);
        print_block(w, out, &s->body, indent);
        break;
    }
    if (w->origins && !held)
        iri_wgsl_origin_said(w, s, out, start);
}

void iri_stmt_print(iri_wgsl *w, iri_buf *out, const iri_stmt_list *list, uint32_t indent)
{
    for (const iri_stmt *s = list->first; s; s = s->next)
        print_statement(w, out, s, indent);
}
