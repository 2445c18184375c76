/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of contexts, arenas, cursors, buffers, maps, bit sets, refusals and SHA-256.
 */
#include "tests/unit/test.h"

#include "base/bitset.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>

/* An allocator that counts, fills with rubbish, and returns NULL from call `fail_at` on. */
typedef struct counting {
    uint64_t calls, fail_at;
    size_t held;
    uint32_t blocks;
    bool wrong_size;
} counting;

static void *counting_alloc(void *user, size_t size)
{
    counting *count = user;
    if (++count->calls >= count->fail_at && count->fail_at)
        return NULL;
    size_t *memory = malloc(size + 16);
    if (!memory)
        return NULL;
    *memory = size;
    memset((char *)memory + 16, 0xa5, size);
    count->held += size;
    count->blocks++;
    return (char *)memory + 16;
}

static void counting_free(void *user, void *memory, size_t size)
{
    counting *count = user;
    size_t *start = (void *)((char *)memory - 16);
    count->wrong_size |= *start != size;
    count->held -= size;
    count->blocks--;
    free(start);
}

static iri_allocator counting_allocator(counting *count)
{
    return (iri_allocator){counting_alloc, counting_free, count};
}

/* ---- Contexts and refusals ---- */

static void fail_long(iri_ctx *ctx, void *argument)
{
    (void)argument;
    char reason[600];
    memset(reason, 'x', sizeof reason);
    reason[sizeof reason - 1] = 0;
    ctx->format = "d3d9";
    ctx->unit = "ps_3_0\n";
    ctx->path = "technique 0/pass 1/pixel";
    iri_fail(ctx, IRI_MALFORMED_TOKEN, 0x1a4, "%s", reason);
}

static void fail_text(iri_ctx *ctx, void *argument)
{
    (void)argument;
    ctx->format = "iridia-ir";
    iri_fail_at(ctx, IRI_INVALID_TEXT, 3, 14, "no op is named '%s'", "ad\x80");
}

static void fail_inside(iri_ctx *ctx, void *argument)
{
    iri_status *inner = argument;
    *inner = iri_protect(ctx, fail_text, NULL);
    iri_fail(ctx, IRI_INTERNAL, IRI_NO_OFFSET, "outer");
}

static void do_nothing(iri_ctx *ctx, void *argument)
{
    (void)ctx;
    (void)argument;
}

TEST(ctx_defaults)
{
    iri_ctx ctx;
    iri_limits limits = {.nesting = 3};
    iri_ctx_init(&ctx, NULL, &limits, NULL);
    CHECK_EQ_U64(ctx.limits.memory, 256u << 20);
    CHECK_EQ_U32(ctx.limits.instructions, 1000000);
    CHECK_EQ_U32(ctx.limits.nesting, 3);
    CHECK_EQ_U64(ctx.limits.output, 64u << 20);
    CHECK(ctx.why == &ctx.own_why);
}

TEST(ctx_failing)
{
    iri_ctx ctx;
    iri_refusal why;
    char line[700], small[8];
    memset(&why, 0x55, sizeof why);
    iri_ctx_init(&ctx, NULL, NULL, &why);
    CHECK_EQ_INT(iri_protect(&ctx, do_nothing, NULL), IRI_OK);
    CHECK_EQ_U32(why.offset, 0x55555555); /* left alone */

    CHECK_EQ_INT(iri_protect(&ctx, fail_long, NULL), IRI_MALFORMED_TOKEN);
    CHECK_STR(why.group, "bad-token");
    CHECK_EQ_U32(why.offset, 0x1a4);
    CHECK_STR(why.format, "d3d9");
    CHECK_STR(why.unit, "ps_3_0?");
    CHECK_EQ_U64(strlen(why.reason), sizeof why.reason - 1);
    CHECK_STR(why.reason + sizeof why.reason - 6, "xx...");

    strcpy(why.reason, "token 0x12345678 is none");
    strcpy(why.unit, "ps_3_0");
    size_t length = iri_refusal_line(&why, "a.fxc", line, sizeof line);
    CHECK_STR(line, "a.fxc:0x1a4: technique 0/pass 1/pixel: d3d9 ps_3_0: token 0x12345678 is none "
                    "[bad-token]");
    CHECK_EQ_U64(length, strlen(line));
    CHECK_EQ_U64(iri_refusal_line(&why, "a.fxc", small, sizeof small), length);
    CHECK_STR(small, "a.fxc:0");
    CHECK_EQ_U64(iri_refusal_line(&why, "a.fxc", NULL, 0), length);
    why.path[0] = 0;
    iri_refusal_line(&why, NULL, line, sizeof line);
    CHECK_STR(line, "0x1a4: d3d9 ps_3_0: token 0x12345678 is none [bad-token]");

    ctx.unit = ctx.path = NULL;
    CHECK_EQ_INT(iri_protect(&ctx, fail_text, NULL), IRI_INVALID_TEXT);
    iri_refusal_line(&why, "a.iri", line, sizeof line);
    CHECK_STR(line, "a.iri:3:14: iridia-ir: no op is named 'ad?' [invalid-text]");

    iri_status inner = IRI_OK;
    CHECK_EQ_INT(iri_protect(&ctx, fail_inside, &inner), IRI_INTERNAL);
    CHECK_EQ_INT(inner, IRI_INVALID_TEXT);
    CHECK_STR(why.reason, "outer");
}

TEST(refusal_outside_calls)
{
    iri_refusal why;
    char line[100];
    CHECK_EQ_INT(iri_refuse(NULL, IRI_UNKNOWN_FORMAT, NULL, "x"), IRI_UNKNOWN_FORMAT);
    iri_refuse(&why, IRI_UNKNOWN_FORMAT, NULL, "the bytes begin %02x", 0x7fu);
    CHECK_EQ_U32(why.offset, IRI_NO_OFFSET);
    iri_refusal_line(&why, "-", line, sizeof line);
    CHECK_STR(line, "-: the bytes begin 7f [unknown-format]");
}

TEST(status_names)
{
    for (int i = 0; i < IRI_STATUS_COUNT; i++) {
        CHECK(iri_status_name((iri_status)i)[0] && iri_status_meaning((iri_status)i)[0]);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(iri_status_name((iri_status)i), iri_status_name((iri_status)j)) != 0);
    }
    CHECK_STR(iri_status_name(IRI_OK), "ok");
    CHECK_STR(iri_status_name(IRI_MALFORMED_TRUNCATED), "truncated");
    CHECK_STR(iri_status_name((iri_status)IRI_STATUS_COUNT), "unknown");
    CHECK_EQ_INT(iri_status_kind_of(IRI_OK), IRI_KIND_OK);
    CHECK_EQ_INT(iri_status_kind_of(IRI_CAPABILITY), IRI_KIND_TARGET);
    CHECK_EQ_U32(iri_version(), IRI_VERSION);
}

/* ---- Arenas ---- */

typedef struct arena_case {
    iri_arena arena;
    void (*run)(iri_arena *arena, void *argument);
    void *argument;
} arena_case;

static void run_in_arena(iri_ctx *ctx, void *argument)
{
    arena_case *test = argument;
    (void)ctx;
    test->run(&test->arena, test->argument);
}

/* Runs with an arena, counting; the status. Whatever happened, all memory must be back. */
static iri_status with_arena(void (*run)(iri_arena *arena, void *argument), void *argument,
                             const iri_limits *limits, counting *count, iri_refusal *why)
{
    iri_ctx ctx;
    arena_case test = {.run = run, .argument = argument};
    iri_allocator allocator = counting_allocator(count);
    iri_ctx_init(&ctx, &allocator, limits, why);
    iri_arena_init(&test.arena, &ctx);
    iri_status status = iri_protect(&ctx, run_in_arena, &test);
    CHECK_EQ_U64(ctx.memory, count->held);
    iri_arena_free(&test.arena);
    CHECK_EQ_U64(test.arena.held, 0);
    CHECK_EQ_U64(ctx.memory, 0);
    CHECK_EQ_U64(count->held, 0);
    CHECK_EQ_U32(count->blocks, 0);
    CHECK(!count->wrong_size);
    return status;
}

static bool is_zero(const void *memory, size_t size)
{
    const uint8_t *b = memory;
    for (size_t i = 0; i < size; i++)
        if (b[i])
            return false;
    return true;
}

static void use_arena(iri_arena *arena, void *argument)
{
    (void)argument;
    for (size_t size = 0; size < 3000; size += 37) {
        uint8_t *memory = iri_arena_alloc(arena, size, 1);
        CHECK((uintptr_t)memory % 8 == 0 && is_zero(memory, size));
        memset(memory, 0xff, size);
    }
    CHECK(arena->held < 2u * 3000 * 3000 / 37 / 2 + 8192);

    /* Grows in place at the end, and elsewhere otherwise. */
    iri_arena_reset(arena);
    uint32_t *words = iri_new_array(arena, uint32_t, 3);
    words[0] = 1, words[1] = 2, words[2] = 3;
    uint32_t *grown = iri_arena_grow(arena, words, 3, 10, sizeof *words);
    CHECK(grown == words && grown[2] == 3);
    char *text = iri_arena_copy_text(arena, "abcd", 3);
    CHECK_STR(text, "abc");
    words = iri_arena_grow(arena, grown, 10, 20, sizeof *words);
    CHECK(words != grown && words[0] == 1 && words[2] == 3);
    CHECK(iri_arena_grow(arena, NULL, 0, 5, 4) != NULL);

    /* Marks: what was before stays, what comes after is zeroed again. */
    iri_arena_mark mark = iri_arena_get_mark(arena);
    void *after = iri_arena_alloc(arena, 64, 1);
    memset(after, 0xff, 64);
    memset(iri_arena_alloc(arena, 3, 1 << 20), 0xff, 3 << 20);
    size_t held = arena->held;
    iri_arena_rewind(arena, mark);
    void *again = iri_arena_alloc(arena, 64, 1);
    CHECK(again == after && is_zero(again, 64));
    CHECK(is_zero(iri_arena_alloc(arena, 3, 1 << 20), 3 << 20));
    CHECK_EQ_U64(arena->held, held); /* the spare chunk was used */
    CHECK_STR(text, "abc");

    CHECK_STR(iri_arena_printf(arena, "%s %d", "x", -5), "x -5");
    text = iri_arena_printf(arena, "%0300d|", 7);
    CHECK_EQ_U64(strlen(text), 301);
    CHECK(text[299] == '7' && text[300] == '|');
}

TEST(arena_use)
{
    counting count = {0};
    iri_refusal why;
    CHECK_EQ_INT(with_arena(use_arena, NULL, NULL, &count, &why), IRI_OK);
}

static void use_little(iri_arena *arena, void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        iri_arena_alloc(arena, 16, 1);
    CHECK(arena->held <= 32 << 10);
}

static void use_vectors(iri_arena *arena, void *argument)
{
    IRI_VEC(uint32_t) a = {0}, b = {0};
    (void)argument;
    for (uint32_t i = 0; i < 10000; i++) {
        iri_push(arena, &a, i);
        if (i % 3 == 0)
            iri_push(arena, &b, ~i);
    }
    CHECK_EQ_U32(a.count, 10000);
    for (uint32_t i = 0; i < a.count; i++)
        CHECK(a.at[i] == i && b.at[i / 3] == ~(i / 3 * 3));
    iri_reserve(arena, &a, 100000);
    CHECK(a.capacity >= 110000 && a.at[9999] == 9999);
}

TEST(arena_vectors)
{
    counting count = {0};
    iri_refusal why;
    CHECK_EQ_INT(with_arena(use_little, NULL, NULL, &count, &why), IRI_OK);
    CHECK_EQ_INT(with_arena(use_vectors, NULL, NULL, &count, &why), IRI_OK);
}

static void use_too_much(iri_arena *arena, void *argument)
{
    size_t *shape = argument;
    iri_arena_alloc(arena, shape[0], shape[1]);
}

TEST(arena_limits)
{
    static const size_t shapes[][2] = {
        {SIZE_MAX, 1}, {SIZE_MAX / 8, 16}, {SIZE_MAX / 2 + 1, 2}, {1 << 20, 1}, {SIZE_MAX - 70, 1},
    };
    iri_limits limits = {.memory = 1 << 20};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        counting count = {0};
        iri_refusal why;
        size_t shape[2] = {shapes[i][0], shapes[i][1]};
        CHECK_EQ_INT(with_arena(use_too_much, shape, &limits, &count, &why), IRI_LIMIT_MEMORY);
    }
}

/* ---- Cursors ---- */

typedef struct cursor_case {
    const char *data;
    size_t size;
    uint32_t base;
    int what;
    uint32_t a, b;
} cursor_case;

static void use_cursor(iri_ctx *ctx, void *argument)
{
    const cursor_case *test = argument;
    iri_cursor c = iri_cursor_make(ctx, test->data, test->size, test->base);
    if (test->what != 6)
        iri_cursor_seek(&c, test->a);
    switch (test->what) {
    case 0: iri_read_u8(&c); break;
    case 1: iri_read_u16(&c); break;
    case 2: iri_read_u32(&c); break;
    case 3: iri_read_u64(&c); break;
    case 4: iri_read_bytes(&c, test->b); break;
    case 5: iri_peek_string(&c, test->b); break;
    case 6: iri_cursor_sub(&c, test->a, test->b); break;
    case 7: iri_peek_u32(&c, test->b); break;
    }
}

TEST(cursor_refusals)
{
    static const cursor_case cases[] = {
        {"abc", 3, 0, 0, 3, 0},
        {"abc", 3, 0, 0, 4, 0},
        {"abc", 3, 16, 1, 2, 0},
        {"abc", 3, 16, 2, 0, 0},
        {"abcdefg", 7, 1, 3, 0, 0},
        {"abc", 3, 5, 4, 1, 3},
        {"abc", 3, 5, 4, 1, UINT32_MAX},
        {"abc", 3, 5, 5, 0, 1},
        {"abc", 3, 5, 5, 0, 3},
        {"abc", 3, 5, 6, 2, 2},
        {"abc", 3, 5, 6, UINT32_MAX, 2},
        {"abcd", 4, 5, 7, 0, 1},
        {"abcd", 4, 5, 7, 0, UINT32_MAX - 1},
        {NULL, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iri_ctx ctx;
        cursor_case test = cases[i];
        /* Bytes of their own, so that a sanitizer sees a read past them. */
        char *data = test.data ? malloc(test.size) : NULL;
        if (data)
            memcpy(data, test.data, test.size);
        test.data = data;
        iri_ctx_init(&ctx, NULL, NULL, NULL);
        CHECK_EQ_INT(iri_protect(&ctx, use_cursor, &test), IRI_MALFORMED_TRUNCATED);
        CHECK_EQ_U32(ctx.why->offset, test.base + test.size);
        free(data);
    }
}

static void read_words(iri_ctx *ctx, void *argument)
{
    static const uint8_t data[] = {1, 2, 3, 4, 5, 0xfe, 7, 8, 9, 10, 11, 12, 13, 14, 15, 'x', 0};
    (void)argument;
    iri_cursor c = iri_cursor_make(ctx, data, sizeof data, 100);
    CHECK_EQ_U32(iri_read_u8(&c), 1);
    CHECK_EQ_U32(iri_read_u16(&c), 0x0302);
    CHECK_EQ_U32(iri_read_u32(&c), 0x07fe0504);
    CHECK_EQ_U64(iri_read_u64(&c), UINT64_C(0x0f0e0d0c0b0a0908));
    CHECK_EQ_U32(iri_cursor_offset(&c), 115);
    CHECK_EQ_U32(iri_cursor_left(&c), 2);
    CHECK_STR(iri_peek_string(&c, 15), "x");
    CHECK_EQ_U32(iri_peek_u32(&c, 1), 0x05040302);
    CHECK(iri_read_bytes(&c, 2) == data + 15 && iri_cursor_left(&c) == 0);
    iri_cursor_seek(&c, sizeof data);
    CHECK(iri_read_bytes(&c, 0) != NULL);
    iri_cursor sub = iri_cursor_sub(&c, 4, 3);
    CHECK_EQ_U32(iri_read_u16(&sub), 0xfe05);
    CHECK_EQ_U32(iri_cursor_offset(&sub), 106);
    iri_cursor_make(ctx, data, (size_t)UINT32_MAX, 1);
}

TEST(cursor_words)
{
    iri_ctx ctx;
    iri_ctx_init(&ctx, NULL, NULL, NULL);
    CHECK_EQ_INT(iri_protect(&ctx, read_words, NULL), IRI_INVALID_ARGUMENT);
}

/* ---- Buffers ---- */

static void write_text(iri_ctx *ctx, void *argument)
{
    iri_buf *buf = argument;
    (void)ctx;
    for (uint32_t i = 0; i < 1000; i++) {
        iri_buf_indent(buf, i % 5);
        iri_buf_str(buf, "let x");
        iri_buf_uint(buf, i);
        iri_buf_printf(buf, " = %s%u;", "y", (unsigned)i);
        iri_buf_char(buf, '\n');
    }
    iri_buf_uint(buf, UINT64_MAX);
    iri_buf_uint(buf, 0);
    iri_buf_bytes(buf, NULL, 0);
    iri_buf_printf(buf, "%0500d", 1);
}

TEST(buf_text)
{
    iri_ctx ctx;
    iri_buf buf;
    iri_text text = {0};
    counting count = {0};
    iri_allocator allocator = counting_allocator(&count);
    iri_limits limits = {.output = 1000};
    iri_ctx_init(&ctx, &allocator, NULL, NULL);
    iri_buf_init(&buf, &ctx);
    CHECK_EQ_INT(iri_protect(&ctx, write_text, &buf), IRI_OK);
    iri_buf_finish(&buf, &text);
    CHECK_EQ_U64(strlen(text.data), text.size);
    CHECK(strncmp(text.data, "let x0 = y0;\n let x1 = y1;\n", 27) == 0);
    CHECK(strstr(text.data, "\n  let x997 = y997;\n   let x998") != NULL);
    CHECK(strncmp(text.data + text.size - 521, "184467440737095516150000", 24) == 0);
    CHECK_EQ_U64(ctx.memory, 0);
    iri_buf_free(&buf);
    iri_text_free(&text);
    iri_text_free(&text);
    iri_text_free(NULL);
    CHECK_EQ_U32(count.blocks, 0);

    iri_ctx_init(&ctx, &allocator, &limits, NULL);
    iri_buf_init(&buf, &ctx);
    CHECK_EQ_INT(iri_protect(&ctx, write_text, &buf), IRI_LIMIT_OUTPUT);
    CHECK(buf.size <= 1000 && buf.data[buf.size] == 0);
    iri_buf_free(&buf);
    iri_buf_finish(&buf, &text);
    CHECK(text.size == 0 && text.data && text.data[0] == 0);
    iri_text_free(&text);
    CHECK(count.blocks == 0 && !count.wrong_size);
}

/* ---- Maps and bit sets ---- */

static void use_map(iri_arena *arena, void *argument)
{
    iri_map map;
    bool added;
    (void)argument;
    iri_map_init(&map, arena);
    CHECK(!iri_map_find(&map, "a", 1));
    for (uint32_t i = 0; i < 2000; i++) {
        char key[16];
        for (int twice = 0; twice < 2; twice++) {
            memset(key, (int)(i & 0xff), sizeof key);
            *iri_map_put(&map, key, i / 256 + 1, &added) = i;
            CHECK(added == !twice);
        }
    }
    CHECK_EQ_U32(map.entries.count, 2000);
    for (uint32_t i = 0; i < 2000; i++) {
        char key[16];
        memset(key, (int)(i & 0xff), sizeof key);
        uint32_t *value = iri_map_find(&map, key, i / 256 + 1);
        CHECK(value && *value == i);
        CHECK(map.entries.at[i].value == i && map.entries.at[i].size == i / 256 + 1);
        CHECK(((const char *)map.entries.at[i].key)[i / 256 + 1] == 0);
    }
    CHECK(!iri_map_find(&map, "none", 4));
    CHECK_EQ_U32(*iri_map_put(&map, "", 0, NULL), 0);
    CHECK(iri_map_find(&map, NULL, 0) != NULL);
}

static void use_bitset(iri_arena *arena, void *argument)
{
    (void)argument;
    iri_bitset a = iri_bitset_make(arena, 130), b = iri_bitset_make(arena, 130);
    iri_bitset_add(&a, 0);
    iri_bitset_add(&a, 63);
    iri_bitset_add(&a, 129);
    for (uint32_t i = 0; i < 200; i++)
        CHECK(iri_bitset_has(&a, i) == (i == 0 || i == 63 || i == 129));
    CHECK(iri_bitset_unite(&b, &a));
    CHECK(!iri_bitset_unite(&b, &a));
    iri_bitset_remove(&a, 63);
    CHECK(!iri_bitset_has(&a, 63) && iri_bitset_has(&b, 63));
    CHECK(!iri_bitset_unite(&b, &a));
    CHECK(iri_bitset_make(arena, 0).count == 0);
}

TEST(map_and_bitset)
{
    counting count = {0};
    iri_refusal why;
    CHECK_EQ_INT(with_arena(use_map, NULL, NULL, &count, &why), IRI_OK);
    CHECK_EQ_INT(with_arena(use_bitset, NULL, NULL, &count, &why), IRI_OK);
}

/* ---- An allocator that fails at call k, for every k ---- */

static void use_all(iri_arena *arena, void *argument)
{
    use_arena(arena, NULL);
    use_map(arena, NULL);
    use_vectors(arena, NULL);
    use_bitset(arena, NULL);
    write_text(arena->ctx, argument);
}

TEST(allocation_failures)
{
    for (uint64_t k = 1; k < 1000; k++) {
        counting count = {.fail_at = k};
        iri_ctx ctx;
        iri_buf buf;
        iri_allocator allocator = counting_allocator(&count);
        arena_case test = {.run = use_all, .argument = &buf};
        iri_ctx_init(&ctx, &allocator, NULL, NULL);
        iri_arena_init(&test.arena, &ctx);
        iri_buf_init(&buf, &ctx);
        iri_status status = iri_protect(&ctx, run_in_arena, &test);
        iri_buf_free(&buf);
        iri_arena_free(&test.arena);
        CHECK(count.blocks == 0 && count.held == 0 && ctx.memory == 0 && !count.wrong_size);
        if (status == IRI_OK) {
            CHECK(k > 10);
            return;
        }
        if (!CHECK_EQ_INT(status, IRI_NO_MEMORY))
            return;
    }
    FAIL("it never succeeds");
}

/* ---- SHA-256 ---- */

static bool check_sha256(const char *bytes, size_t size, size_t step, const char *expected)
{
    iri_sha256 hash;
    uint8_t digest[32];
    char text[65];
    iri_sha256_init(&hash);
    for (size_t i = 0; i < size; i += step)
        iri_sha256_add(&hash, bytes + i, size - i < step ? size - i : step);
    iri_sha256_finish(&hash, digest);
    for (int i = 0; i < 32; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[64] = 0;
    return CHECK_STR(text, expected);
}

TEST(sha256_vectors)
{
    /* FIPS 180-2 appendix B, and lengths around the padding's edges. */
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char many[1000000];
    memset(many, 'a', sizeof many);
    check_sha256("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (size_t step = 1; step < 70; step++) {
        check_sha256("abc", 3, step,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check_sha256(two_blocks, 56, step,
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        check_sha256(many, 55, step,
                     "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
        check_sha256(many, 64, step,
                     "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    }
    check_sha256(many, sizeof many, 4093,
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
