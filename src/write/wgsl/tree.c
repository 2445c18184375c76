/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of statements and how it is laid out: `else if` chains, `while` where a loop begins with
 * its way out, no empty arms.
 */
#include "write/wgsl/wgsl.h"

iri_stmt *iri_stmt_add(iri_wgsl *w, iri_stmt_kind kind, const char *text)
{
    iri_stmt *s = iri_new(w->arena, iri_stmt);
    s->kind = kind;
    s->text = text;
    if (w->list->last)
        w->list->last->next = s;
    else
        w->list->first = s;
    w->list->last = s;
    return s;
}

static const char *opposite(iri_wgsl *w, const iri_stmt *s)
{
    if (s->opposite)
        return s->opposite;
    iri_wgsl_expr e = {.text = s->text, .level = s->level};
    return iri_wgsl_printf(w, "!%s", iri_wgsl_at(w, e, IRI_LEVEL_UNARY));
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
        const char *condition = s->text;
        if (!body->first) {
            condition = opposite(w, s);
            body = other;
            other = &s->body;
        }
        iri_buf_printf(out, "if (%s) {\n", condition);
        iri_stmt_print(w, out, body, indent + 4);
        iri_buf_indent(out, indent);
        if (!other->first) {
            iri_buf_str(out, "}\n");
            return;
        }
        if (other->first != other->last || other->first->kind != IRI_STMT_IF) {
            iri_buf_str(out, "} else {\n");
            iri_stmt_print(w, out, other, indent + 4);
            iri_buf_indent(out, indent);
            iri_buf_str(out, "}\n");
            return;
        }
        iri_buf_str(out, "} else ");
        s = other->first;
    }
}

static void print_statement(iri_wgsl *w, iri_buf *out, const iri_stmt *s, uint32_t indent)
{
    iri_buf_indent(out, indent);
    switch (s->kind) {
    case IRI_STMT_LINE:
        iri_wgsl_put_line(out, s->text, indent);
        iri_buf_str(out, ";\n");
        return;
    case IRI_STMT_BREAK: iri_buf_str(out, "break;\n"); return;
    case IRI_STMT_CONTINUE: iri_buf_str(out, "continue;\n"); return;
    case IRI_STMT_RETURN:
        iri_wgsl_put_line(out, s->text ? iri_wgsl_printf(w, "return %s", s->text) : "return",
                          indent);
        iri_buf_str(out, ";\n");
        return;
    case IRI_STMT_IF: print_if(w, out, s, indent); return;
    case IRI_STMT_LOOP: {
        const iri_stmt *first = way_out(s);
        iri_stmt_list body = s->body;
        if (first) {
            iri_buf_printf(out, "while (%s) {\n", opposite(w, first));
            body.first = first->next;
        } else {
            iri_buf_str(out, "loop {\n");
        }
        iri_stmt_print(w, out, &body, indent + 4);
        break;
    }
    case IRI_STMT_SWITCH: iri_buf_printf(out, "switch %s {\n", s->text); goto body;
    case IRI_STMT_CASE:
        iri_buf_printf(out, "%s {\n", s->text);
        goto body;
    body:
        iri_stmt_print(w, out, &s->body, indent + 4);
        break;
    }
    iri_buf_indent(out, indent);
    iri_buf_str(out, "}\n");
}

void iri_stmt_print(iri_wgsl *w, iri_buf *out, const iri_stmt_list *list, uint32_t indent)
{
    for (const iri_stmt *s = list->first; s; s = s->next)
        print_statement(w, out, s, indent);
}
