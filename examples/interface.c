/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks the interface of a shader: what an engine needs to feed it, by name. Also counts the operations of its body,
 * to show how a program is walked.
 * Usage: interface FILE
 */
#include <iridia/iridia.h>
#include <stdio.h>

static void print_elements(const char *what, const iri_io *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        printf("%s %s%u: %u lanes of %s\n", what, items[i].name, (unsigned)items[i].index,
               (unsigned)IRI_TYPE_LANES(items[i].type),
               iri_word(IRI_WORDS_SCALAR, IRI_TYPE_SCALAR(items[i].type)));
}

static void print_members(const iri_member *members, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        printf("%*s%s at byte %u, %u bytes\n", 2 * depth + 2, "", members[i].name,
               (unsigned)members[i].offset, (unsigned)members[i].size);
        print_members(members[i].members, members[i].member_count, depth + 1);
    }
}

/* Counts the instructions of a region and of all regions inside it. */
static void count_region(const iri_program *p, iri_id region, unsigned counts[IRI_OP_COUNT])
{
    iri_id id;
    for (uint32_t i = 0; (id = iri_program_region_inst(p, region, i)) != 0; i++) {
        const iri_inst *in = iri_program_inst(p, id);
        const uint32_t *regions =
            iri_program_words(p, in) + in->operand_count + in->immediate_count;
        counts[in->op]++;
        for (uint32_t r = 0; r < in->region_count; r++)
            count_region(p, regions[r], counts);
    }
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 20];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);

    iri_program *program;
    iri_refusal why;
    iri_state state = IRI_STATE_D3D9_DEFAULT;
    if (iri_lift(bytes, size, IRI_LIFT_OPTIONS(.state = &state), &program, NULL, &why) != IRI_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], why.reason);
        return 1;
    }
    const iri_interface *io = iri_program_interface(program);
    print_elements("input", io->inputs, io->input_count);
    print_elements("output", io->outputs, io->output_count);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        printf("%s at register %u%s%s\n", iri_word(IRI_WORDS_RESOURCE_KIND, r->kind),
               (unsigned)r->reg, r->name ? ": " : "", r->name ? r->name : "");
        print_members(r->members, r->member_count, 0);
    }
    unsigned counts[IRI_OP_COUNT] = {0};
    const iri_function *entry = iri_program_function(program, iri_program_entry(program));
    count_region(program, entry->body, counts);
    for (int op = 1; op < IRI_OP_COUNT; op++)
        if (counts[op])
            printf("%4u %s\n", counts[op], iri_op_get_info((iri_op)op)->name);
    iri_program_free(program);
    return 0;
}
