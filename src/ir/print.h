/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing the text form; docs/text.md is its grammar. print.c has names, numbers and bodies,
 * print_header.c what stands above them.
 */
#ifndef IRI_IR_PRINT_H
#define IRI_IR_PRINT_H

#include "base/buf.h"
#include "ir/program.h"

/* Prints a program, with source offsets or without. */
void iri_print_program(iri_buf *out, iri_arena *scratch, const iri_program *p, bool offsets);

/* ---- the printer's own parts ---- */

/* The numbers that values and labels are printed with: counted anew in each function, in order of appearance.
 * IRI_NO_NUMBER for what does not appear. */
typedef struct iri_numbering {
    uint32_t *values, *labels;
} iri_numbering;
#define IRI_NO_NUMBER UINT32_MAX

/* Where text goes (`buf`, or `text` cut to `size`) and what printing needs to know. */
typedef struct iri_printer {
    const iri_program *p;
    iri_buf *buf;
    char *text;
    size_t size, length;
    const iri_numbering *numbering; /* NULL: ids are printed, marked "%?" */
    iri_id function;                /* whose body is printed; 0 when not known */
    bool offsets;
    uint32_t offset; /* the last one printed */
} iri_printer;

/* The program must be sound: ids in range, regions a tree. */
void iri_number_program(iri_arena *arena, const iri_program *p, iri_numbering *out);
void iri_number_function(iri_arena *scratch, const iri_program *p, iri_id function,
                         iri_numbering *into);

void iri_put(iri_printer *pr, const char *format, ...) IRI_PRINTF(2, 3);
void iri_put_bytes(iri_printer *pr, const char *bytes, size_t size);
void iri_put_str(iri_printer *pr, const char *text);
void iri_put_spaces(iri_printer *pr, uint32_t spaces);
void iri_put_type(iri_printer *pr, iri_type type);
void iri_put_string(iri_printer *pr, const char *text); /* quoted, escaped byte by byte */
void iri_put_name(iri_printer *pr,
                  const char *text); /* bare where it is an identifier, else quoted */
void iri_put_lanes(iri_printer *pr, iri_lanes lanes); /* ".xyz" */
void iri_put_word(iri_printer *pr, iri_vocabulary vocabulary, uint32_t value);
void iri_put_literal(iri_printer *pr, iri_type type, const uint64_t lanes[4]);
void iri_put_function_name(iri_printer *pr, iri_id function); /* "#3" when another has its name */
/* "#3" when another resource has its label. */
void iri_put_resource_name(iri_printer *pr, uint32_t resource);
/* "t0_space2": what stands for a resource by its kind and register. */
void iri_put_resource_label(iri_printer *pr, const iri_resource *resource);
/* One instruction without its regions. Safe on broken operands. */
void iri_put_inst(iri_printer *pr, iri_id inst);
void iri_print_header(iri_printer *pr);

#endif
