/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shortest useful program with libiridia: a compiled Direct3D 9 shader in, WGSL out.
 * Usage: to_wgsl FILE
 */
#include <iridia/iridia.h>
#include <stdio.h>

static int report(const iri_refusal *why, const char *file)
{
    char line[512];
    iri_refusal_line(why, file, line, sizeof line);
    fprintf(stderr, "%s\n", line);
    return 1;
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 20];
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);

    iri_program *program;
    iri_refusal why;
    iri_state state = IRI_STATE_D3D9_DEFAULT; /* no alpha test, no fog, ... */
    if (iri_lift(bytes, size, IRI_LIFT_OPTIONS(.state = &state), &program, NULL, &why) != IRI_OK)
        return report(&why, argv[1]);
    for (size_t i = 0; i < iri_note_count(program); i++)
        fprintf(stderr, "note: %s\n", iri_note_at(program, i)->text);

    iri_text wgsl;
    if (iri_write_wgsl(program, IRI_WGSL_OPTIONS(.profile = IRI_PROFILE_BROWSER), &wgsl, NULL,
                       &why) != IRI_OK) {
        iri_program_free(program);
        return report(&why, argv[1]);
    }
    fwrite(wgsl.data, 1, wgsl.size, stdout);
    iri_text_free(&wgsl);
    iri_program_free(program);
    return 0;
}
