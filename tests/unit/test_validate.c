/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The validator on programs that no text gives and the builder refuses: one word of a good program is
 * overwritten, and the problem must be named. What text can say is in tests/cases/validate. Then many random
 * words: nothing may crash.
 */
#include "tests/unit/test.h"

#include "ir/validate.h"
#include "tests/unit/test_text.h"

#include <iridia/text.h>
#include <stdio.h>
#include <stdlib.h>

static const char good_text[] = "program pixel entry main\n"
                                "input A0: vec2<f32> @v0.xy linear\n"
                                "output COLOR0: vec4<f32> @oC0 sv target\n"
                                "texture t0: 2d<f32>\n"
                                "sampler s0\n"
                                "cbuffer cb0 size 64\n"
                                "fn main {\n"
                                "  local r0: vec4<f32>\n"
                                "  local x0: f32[4]\n"
                                "  %0: vec2<f32> = input 0.xy\n"
                                "  %1: i32 = ineg 1i\n"
                                "  %2: f32 = add 1.0, 2.0\n"
                                "  %3: f32 = swizzle %0.y\n"
                                "  %4: vec2<f32> = insert %0.y, %2\n"
                                "  %5: vec3<f32> = compose %0, %2\n"
                                "  %6: vec3<f32> = splat %2\n"
                                "  %7: u32 = bitcast %2\n"
                                "  %8: f32 = state alpha_ref\n"
                                "  %9: f32 = load.cb cb0, 0u\n"
                                "  %10: vec4<f32> = sample t0, s0, %0\n"
                                "  %11: f32 = load.local x0.x, 1u\n"
                                "  store.local r0.xyzw, %10\n"
                                "  %12: bool = lt %2, 1.0\n"
                                "  %13: f32 = call f, %2\n"
                                "  %14: f32 = if %12 {\n"
                                "    yield %2\n"
                                "  } else {\n"
                                "    yield 2.0\n"
                                "  }\n"
                                "  %15: f32 = loop @1 (%16: f32 = 1.0) {\n"
                                "    if %12 {\n"
                                "      break @1, %16\n"
                                "    }\n"
                                "    continue @1, %16\n"
                                "  }\n"
                                "  switch @2, %1 {\n"
                                "    default { yield }\n"
                                "    case 1 { yield }\n"
                                "    case 2 { yield }\n"
                                "  }\n"
                                "  block @3 { yield }\n"
                                "  output 0.xyzw, %10\n"
                                "  return\n"
                                "}\n"
                                "fn f(%0: f32) -> f32 {\n"
                                "  %1: u32 = ftoi.sat %0\n"
                                "  %2: f32 = itof %1\n"
                                "  %3: f32 = select true, %2, 1.0\n"
                                "  %4: bool = any splat2(true)\n"
                                "  demote %4\n"
                                "  return %3\n"
                                "}\n"
                                "fn g cfg {\n"
                                "  block @b0 {\n"
                                "    br.if true, @b1(1.0), @b2\n"
                                "  }\n"
                                "  block @b1(%0: f32) {\n"
                                "    br @b2\n"
                                "  }\n"
                                "  block @b2 {\n"
                                "    br.switch 1u, default @b3, 7 @b3\n"
                                "  }\n"
                                "  block @b3 {\n"
                                "    return\n"
                                "  }\n"
                                "}\n";

static iri_program *parse(void)
{
    iri_refusal why;
    iri_program *p;
    if (iri_parse_text(good_text, strlen(good_text), NULL, &p, &why) != IRI_OK) {
        FAIL("%lu:%lu: %s", (unsigned long)why.line, (unsigned long)why.column, why.reason);
        return NULL;
    }
    return p;
}

typedef enum field {
    OP,
    FLAGS,
    OPERANDS, /* counts */
    IMMEDIATES,
    REGIONS,
    RESULTS,
    WORDS, /* starts */
    FIRST_RESULT,
    OPERAND,   /* `index` gets the first result of instruction `value` */
    RAW,       /* `index` gets the value id itself */
    IMMEDIATE, /* `index` gets the word */
    REGION,
    TYPE, /* of result `index` */
    KIND,
    DEF,
    BODY_COUNT, /* of region `index`: its instructions */
    BODY_FIRST,
    BODY_OWNER,
    BODY_PARAMETERS,
    CONSTANT, /* lane 0 of operand `index` */
    BLOCK     /* immediate `index` becomes block `value` of the last function */
} field;

static void poke(iri_program *p, iri_id inst, field what, uint32_t index, uint32_t value)
{
    iri_inst *in = &p->insts[inst];
    uint32_t *operands = p->words + in->words, *immediates = operands + in->operand_count;
    uint32_t *regions = immediates + in->immediate_count;
    iri_value *result = &p->values[in->results + index];
    switch (what) {
    case OP: in->op = (uint16_t)value; break;
    case FLAGS: in->flags = (uint16_t)value; break;
    case OPERANDS: in->operand_count = (uint16_t)value; break;
    case IMMEDIATES: in->immediate_count = (uint16_t)value; break;
    case REGIONS: in->region_count = (uint16_t)value; break;
    case RESULTS: in->result_count = (uint16_t)value; break;
    case WORDS: in->words = value; break;
    case FIRST_RESULT: in->results = value; break;
    case OPERAND: operands[index] = p->insts[value].results; break;
    case RAW: operands[index] = value; break;
    case IMMEDIATE: immediates[index] = value; break;
    case REGION: regions[index] = value; break;
    case TYPE: result->type = (iri_type)value; break;
    case KIND: result->kind = (uint8_t)value; break;
    case DEF: result->def = value; break;
    case BODY_COUNT: p->regions[regions[index]].count = value; break;
    case BODY_FIRST: p->regions[regions[index]].first = value; break;
    case BODY_OWNER: p->regions[regions[index]].owner = value; break;
    case BODY_PARAMETERS: p->regions[regions[index]].parameter_count = value; break;
    case CONSTANT: p->constants[p->values[operands[index]].def] = value; break;
    case BLOCK: immediates[index] = p->functions[p->function_count - 1].body + value; break;
    }
}

static iri_id find(const iri_program *p, iri_op op, uint32_t nth)
{
    for (iri_id i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == op && nth-- == 0)
            return i;
    FAIL("no %s", iri_op_infos[op].name);
    return 0;
}

/* Whether one of the problems ends in `wanted`. */
static void check_problem(const iri_program *p, const char *wanted)
{
    iri_problems problems;
    bool found = false;
    size_t size = strlen(wanted);
    CHECK(iri_validate(p, IRI_CAN_ALL, &problems, NULL) == IRI_INVALID_PROGRAM);
    for (size_t i = 0; i < problems.count; i++) {
        size_t length = strlen(problems.items[i].text);
        found |= length >= size && !strcmp(problems.items[i].text + length - size, wanted);
    }
    if (!found)
        FAIL("no problem '%s' among %lu, the first '%s'", wanted, (unsigned long)problems.count,
             problems.count ? problems.items[0].text : "");
    iri_problems_free(&problems);
}

#define O(name) IRI_OP_##name

TEST(validate_words)
{
    static const struct {
        iri_op op;
        uint32_t nth;
        field what;
        uint32_t index, value;
        const char *wanted;
    } rows[] = {
        /* whether it holds together */
        {O(ADD), 0, OP, 0, 9999, "there is no operation 9999"},
        {O(ADD), 0, OP, 0, 0, "there is no operation 0"},
        {O(ADD), 0, WORDS, 0, 0xfffffff0, "its words are out of range"},
        {O(ADD), 0, OPERANDS, 0, 65535, "its words are out of range"},
        {O(ADD), 0, FIRST_RESULT, 0, 0xfffffff0, "its results are out of range"},
        {O(ADD), 0, FIRST_RESULT, 0, 1, "result 1 is another's"},
        {O(ADD), 0, RAW, 1, 0, "operand 2 is no value"},
        {O(ADD), 0, RAW, 0, 0xffffffff, "operand 1 is no value"},
        {O(IF), 0, REGION, 1, 99999, "part 2 is no region"},
        {O(IF), 0, REGION, 1, 1, "region 1 is in two places"},
        {O(IF), 0, BODY_FIRST, 0, 99999, " is malformed"},
        {O(IF), 0, BODY_OWNER, 0, 1, " names another owner"},
        {O(IF), 0, BODY_COUNT, 0, 2, " is in two places"},
        {O(LOOP), 0, BODY_PARAMETERS, 0, 2, " is malformed"},
        {O(ADD), 0, TYPE, 0, 0, " is malformed"},
        {O(ADD), 0, TYPE, 0, 255, " is malformed"},
        {O(ADD), 0, KIND, 0, 7, " is malformed"},
        {O(ADD), 0, DEF, 0, 1, "result 1 is another's"},
        /* counts and letters */
        {O(ADD), 0, OPERANDS, 0, 1, "has 1 operands, not 2"},
        {O(INEG), 0, IMMEDIATES, 0, 1, "has 1 immediates, not 0"},
        {O(SWIZZLE), 0, IMMEDIATES, 0, 0, "has 0 immediates, not 1"},
        {O(ADD), 0, RESULTS, 0, 0, " is malformed"},
        {O(INEG), 0, OP, 0, O(DEMOTE), "has 1 results, not 0"},
        {O(BLOCK), 0, OP, 0, O(INPUT), "has regions"},
        {O(INEG), 0, OP, 0, O(NEG), "is not for i32"},
        {O(ADD), 0, OPERAND, 1, 2, "operand 2 is i32, not f32"},
        {O(ADD), 0, TYPE, 0, IRI_TYPE_I32, "result 1 is i32, not f32"},
        {O(LT), 0, TYPE, 0, IRI_TYPE_F32, "result 1 is f32, not bool"},
        {O(FTOI_SAT), 0, TYPE, 0, IRI_TYPE_F32, "result 1 is f32, not integers of as many lanes"},
        {O(ITOF), 0, TYPE, 0, IRI_TYPE_U32, "result 1 is u32, not floats of as many lanes"},
        {O(BITCAST), 0, TYPE, 0, IRI_TYPE_BOOL, "result 1 is bool, not numbers of as many lanes"},
        {O(SELECT), 0, OPERAND, 0, 3, "operand 1 is f32, not bool"},
        {O(LOAD_CB), 0, OPERAND, 0, 2, "operand 1 is i32, not u32"},
        {O(SWITCH), 0, OPERAND, 0, 3, "operand 1 is f32, not an integer"},
        {O(IF), 0, OPERAND, 0, 3, "operand 1 is f32, not bool"},
        {O(ANY), 0, TYPE, 0, IRI_TYPE_F32, "result 1 is f32, not bool"},
        {O(INEG), 0, CONSTANT, 0, 0, NULL},
        {O(ADD), 0, FLAGS, 0, 4, "has flags that do not exist"},
        /* words */
        {O(SWIZZLE), 0, IMMEDIATE, 0, 0x1000, "0x1000 is no choice of lanes"},
        {O(SWIZZLE), 0, IMMEDIATE, 0, 3, "vec2<f32> has no lane w"},
        {O(SWIZZLE), 0, IMMEDIATE, 0, 0x100, "f32 where the lanes are vec2<f32>"},
        {O(INSERT), 0, IMMEDIATE, 0, 0x101, "0x101 is no mask of lanes"},
        {O(COMPOSE), 0, OPERAND, 1, 2, "joins i32 into vec3<f32>"},
        {O(COMPOSE), 0, OPERAND, 1, 1, "joins 4 lanes into vec3<f32>"},
        {O(SPLAT), 0, OPERAND, 0, 2, "vec3<f32> from i32"},
        {O(BITCAST), 0, TYPE, 0, IRI_TYPE(IRI_U16, 1), "u16 from f32"},
        {O(INPUT), 0, IMMEDIATE, 0, 1, "there is no input 1"},
        {O(OUTPUT), 0, IMMEDIATE, 0, 1, "there is no output 1"},
        {O(OUTPUT), 0, OPERAND, 0, 1, "vec2<f32> where the lanes are vec4<f32>"},
        {O(STATE), 0, IMMEDIATE, 0, 0, "there is no state 0"},
        {O(STATE), 0, IMMEDIATE, 0, 999, "there is no state 999"},
        {O(STATE), 0, IMMEDIATE, 1, 1, "there is no alpha_ref[1]"},
        {O(STATE), 0, TYPE, 0, IRI_TYPE_U32, "the state is f32, not u32"},
        {O(LOAD_CB), 0, IMMEDIATE, 0, 9, "there is no resource 9"},
        {O(LOAD_CB), 0, IMMEDIATE, 0, 0, "t0 is no cbuffer"},
        {O(LOAD_CB), 0, TYPE, 0, IRI_TYPE_BOOL, "memory holds no bool"},
        {O(SAMPLE), 0, IMMEDIATE, 0, 1, "s0 is no texture"},
        {O(SAMPLE), 0, IMMEDIATE, 1, 0, "t0 is no sampler"},
        {O(LOAD_LOCAL), 0, IMMEDIATE, 0, 9, "the function has no local 9"},
        {O(LOAD_LOCAL), 0, IMMEDIATE, 0, 1, "r0 is no array"},
        {O(STORE_LOCAL), 0, IMMEDIATE, 0, 2, "x0 needs an index"},
        {O(CALL), 0, IMMEDIATE, 0, 99, "there is no function 99"},
        {O(CALL), 0, IMMEDIATE, 0, 3, "g takes 0 values and gives 0"},
        {O(CALL), 0, OPERAND, 0, 2, "argument 1 is i32, not f32"},
        {O(CALL), 0, TYPE, 0, IRI_TYPE_I32, "result 1 is i32, not f32"},
        /* control flow */
        {O(IF), 0, REGIONS, 0, 1, "has 1 regions"},
        {O(IF), 0, BODY_COUNT, 1, 0, "a region is empty"},
        {O(DEMOTE), 0, OP, 0, O(YIELD), "a terminator that is not the last of its region"},
        {O(YIELD), 3, OP, 0, O(DEMOTE), "the region does not end in a terminator"},
        {O(YIELD), 0, OPERAND, 0, 2, "carries i32 as value 1, but the op has f32 there"},
        {O(YIELD), 0, OPERANDS, 0, 0, "carries 0 values, but the op has 1"},
        {O(RETURN), 1, OPERANDS, 0, 0, "carries 0 values, but the function has 1"},
        {O(RETURN), 0, OP, 0, O(YIELD), "stands in no if, switch or block"},
        {O(LOOP), 0, IMMEDIATE, 0, 99, "label 99 is out of range"},
        {O(LOOP), 0, IMMEDIATE, 0, 0, "label 0 is out of range"},
        {O(SWITCH), 0, IMMEDIATE, 0, 1, "its label is another's too"},
        {O(BREAK), 0, IMMEDIATE, 0, 3, "no op around it has this label"},
        {O(LOOP), 0, OP, 0, O(BLOCK), "has 1 operands, not 0"},
        {O(LOOP), 0, OP, 0, O(BLOCK), "a region has parameters"},
        {O(LOOP), 0, OP, 0, O(BLOCK), "the label is no loop's"},
        {O(CONTINUE), 0, OPERANDS, 0, 0, "no op around it has this label"},
        {O(CONTINUE), 0, OPERAND, 0, 2, "carries i32 as value 1, but the loop has f32 there"},
        {O(LOOP), 0, OPERAND, 0, 2, "carries i32 as value 1, but the body has f32 there"},
        {O(BREAK), 0, OP, 0, O(CONTINUE), "has results, but no edge completes it"},
        {O(BREAK), 0, OP, 0, O(CONTINUE),
         "no edge completes it, and more than unreachable follows"},
        {O(SWITCH), 0, IMMEDIATE, 1, 9, "case 1 is malformed"},
        {O(SWITCH), 0, IMMEDIATE, 1, 0, "case 1 is malformed"},
        {O(SWITCH), 0, REGIONS, 0, 2, "has 2 regions for 3 arms"},
        {O(SWITCH), 0, OP, 0, O(BLOCK), "has 3 regions"},
        {O(RETURN), 0, OP, 0, O(BR), "stands in a structured function"},
        {O(BR), 0, OP, 0, O(YIELD), "stands in a function of CFG form"},
        {O(BR), 0, BLOCK, 0, 9, "edge 1 leads to no block of the function"},
        {O(BR), 0, BLOCK, 0, 0, "edge 1 leads to the entry block"},
        {O(BR), 0, BLOCK, 0, 1, "carries 0 values, but the block has 1"},
        {O(BR_IF), 0, IMMEDIATE, 2, 9, "its words do not make edges"},
        {O(BR_SWITCH), 0, IMMEDIATE, 1, 9, "its words do not make edges"},
        {O(BR_SWITCH), 0, IMMEDIATES, 0, 4, "its words do not make edges"},
        {O(BR_IF), 0, OP, 0, O(BLOCK), "stands in a function of CFG form"},
    };
    iri_program *p = parse();
    REQUIRE(p);
    CHECK(iri_validate(p, IRI_CAN_ALL, NULL, NULL) == IRI_OK);
    iri_program_free(p);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        p = parse();
        poke(p, find(p, rows[i].op, rows[i].nth), rows[i].what, rows[i].index, rows[i].value);
        if (rows[i].wanted)
            check_problem(p, rows[i].wanted);
        else
            CHECK(iri_validate(p, IRI_CAN_ALL, NULL, NULL) == IRI_OK);
        iri_program_free(p);
    }
}

/* What is no instruction's: functions, locals, constants, the interface. */
static void poke_rest(iri_program *p, uint32_t which)
{
    iri_io *input = (iri_io *)(uintptr_t)p->interface.inputs;
    iri_resource *resources = (iri_resource *)(uintptr_t)p->interface.resources;
    static const iri_type none = IRI_TYPE_VOID;
    static iri_io nameless;
    static iri_state_entry entry;
    static iri_member member;
    switch (which) {
    case 0: p->functions[1].name = NULL; break;
    case 1: p->functions[1].form = 7; break;
    case 2: p->functions[1].body = 9999; break;
    case 3: p->functions[3].block_count = 9999; break;
    case 4: p->functions[1].first_local = 9999; break;
    case 5: p->locals[1].type = 0; break;
    case 6: p->functions[2].result_types = &none; break;
    case 7: p->functions[3].external_types = &none, p->functions[3].external_count = 1; break;
    case 8: p->entry = 99; break;
    case 9: p->stage = (iri_stage)99; break;
    case 10: p->interface.inputs = &nameless; break;
    case 11: input->type = 0; break;
    case 12: input->system_value = 99; break;
    case 13: input->interpolation = 99; break;
    case 14: input->bank = 99; break;
    case 15: resources[0].kind = 0; break;
    case 16: resources[0].arrayed = 2; break;
    case 17:
        entry = (iri_state_entry){0, 0, 0, {0}};
        p->interface.states = &entry, p->interface.state_count = 1;
        break;
    case 18:
        entry = (iri_state_entry){IRI_STATE_ALPHA_REF, 0, 9, {0}};
        p->interface.states = &entry, p->interface.state_count = 1;
        break;
    case 19:
        p->constants[p->values[iri_operands(p, &p->insts[2])[0]].def] = UINT64_C(1) << 40;
        break;
    case 20: p->functions[2].body = p->functions[1].body; break;
    case 21: p->regions[p->functions[2].body].parameter_count = 0; break;
    case 22: p->order[p->regions[1].first] = p->order[p->regions[1].first + 1]; break;
    case 23:
        member.member_class = 99;
        resources[2].members = &member, resources[2].member_count = 1;
        break;
    default: break;
    }
}

TEST(validate_rest)
{
    static const char *const wanted[] = {
        "has no name",
        "is of no form",
        "its body is no region",
        "its body is no region",
        "its locals are out of range",
        "local 1 is malformed",
        "result 1 is of no type",
        "parameter 1 is of no type",
        "the program has no element 0, or no such entry",
        "there is no such stage",
        "input 0 has no name",
        "input A0: of no type",
        "input A0: no such system value",
        "input A0: no such interpolation",
        "input A0: no such register bank",
        "r0: no such kind of resource",
        "t0: a flag is neither 0 nor 1",
        "state entry 0: no such state",
        "state alpha_ref: no such source",
        "operand 1 is a constant with more bits than its type",
        "region 1 is in two places",
        " is malformed",
        "instruction 2 is in two places",
        "cb0: member  is of no type",
    };
    for (uint32_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        iri_program *p = parse();
        REQUIRE(p);
        poke_rest(p, i);
        check_problem(p, wanted[i]);
        iri_program_free(p);
    }
}

/* Regions deeper than anything recurses. */
TEST(validate_depth)
{
    iri_program *p = parse();
    REQUIRE(p);
    enum { DEPTH = 3000 };
    iri_program deep = *p;
    iri_inst *insts = calloc(DEPTH + 2, sizeof *insts);
    iri_region *regions = calloc(DEPTH + 2, sizeof *regions);
    uint32_t *words = calloc(2 * (DEPTH + 2), sizeof *words),
             *order = calloc(DEPTH + 2, sizeof *order);
    if (CHECK(insts && regions && words && order)) {
        for (uint32_t i = 1; i <= DEPTH; i++) {
            insts[i].op = IRI_OP_BLOCK;
            insts[i].words = 2 * i;
            insts[i].immediate_count = insts[i].region_count = 1;
            words[2 * i] = i;
            words[2 * i + 1] = i + 1;
            order[i] = i;
            regions[i] = (iri_region){i, 1, 0, 0, i - 1};
        }
        regions[DEPTH + 1].owner = DEPTH;
        iri_function functions[2] = {p->functions[0], {.name = "main", .body = 1}};
        deep.insts = insts, deep.regions = regions, deep.words = words, deep.order = order;
        deep.functions = functions;
        deep.inst_count = deep.region_count = deep.order_count = DEPTH + 1;
        deep.region_count++, deep.function_count = 2, deep.value_count = 1;
        deep.word_count = 2 * (DEPTH + 2), deep.label_count = DEPTH + 1;
        check_problem(&deep, "region 1001 is nested too deep");
    }
    free(insts);
    free(regions);
    free(words);
    free(order);
    iri_program_free(p);
}

static uint32_t below(uint32_t count)
{
    return (uint32_t)(iri_test_random() % count);
}

/* Small numbers are ids more often than not. */
static uint32_t any_word(void)
{
    static const uint32_t special[] = {0,          1,          0xffffffff, 0xfffffffe,
                                       0x7fffffff, 0x80000000, 65535,      65536};
    return below(3) ? below(40) : special[below(8)];
}

static void corrupt(iri_program *p)
{
    switch (below(8)) {
    case 0: p->words[below(p->word_count)] = any_word(); break;
    case 1: p->order[below(p->order_count)] = any_word(); break;
    case 2: ((uint32_t *)(void *)p->regions)[below(p->region_count * 5)] = any_word(); break;
    case 3: ((uint16_t *)(void *)p->insts)[below(p->inst_count * 12)] = (uint16_t)any_word(); break;
    case 4: ((uint8_t *)(void *)p->values)[below(p->value_count * 12)] = (uint8_t)any_word(); break;
    case 5: {
        iri_function *f = &p->functions[below(p->function_count)];
        uint32_t *const words[] = {&f->body, &f->block_count, &f->first_local, &f->local_count};
        *words[below(4)] = any_word();
        break;
    }
    case 6: p->functions[below(p->function_count)].form = (uint8_t)below(3); break;
    default: {
        uint32_t *const words[] = {&p->entry, &p->label_count};
        uint32_t *word = words[below(2)];
        *word = word == &p->label_count ? below(p->label_count + 1) : any_word();
        break;
    }
    }
}

TEST(validate_random)
{
    iri_refusal why;
    uint32_t valid = 0;
    for (uint32_t round = 0; round < 5000; round++) {
        iri_program *p;
        if (!CHECK(iri_parse_text(iri_test_rich_text, strlen(iri_test_rich_text), NULL, &p, &why) ==
                   IRI_OK))
            return;
        for (uint32_t i = 1 + below(3); i-- > 0;)
            corrupt(p);
        iri_problems problems;
        iri_status status = iri_validate(p, IRI_CAN_ALL, &problems, &why);
        valid += status == IRI_OK;
        CHECK((status == IRI_OK) == (problems.count == 0));
        iri_text text;
        if (status == IRI_OK && CHECK(iri_print_text(p, NULL, &text, NULL) == IRI_OK))
            iri_text_free(&text);
        iri_problems_free(&problems);
        iri_program_free(p);
    }
    CHECK(valid > 10); /* else nothing but ranges was tested */
}

TEST(validate_cap)
{
    enum { COUNT = 1500 };
    char *text = malloc(COUNT * 64);
    iri_program *p;
    iri_problems problems;
    iri_refusal why;
    REQUIRE(text);
    size_t at = (size_t)sprintf(text, "cbuffer cb0 size 4\nfn main {\n");
    for (uint32_t i = 0; i < COUNT; i++)
        at += (size_t)sprintf(text + at, "  %%%u: f32 = load.cb cb0, 8u ; 0x%x\n", (unsigned)i,
                              (unsigned)i);
    sprintf(text + at, "  return\n}\n");
    if (CHECK(iri_parse_text(text, strlen(text), NULL, &p, &why) == IRI_OK)) {
        CHECK(iri_validate(p, IRI_CAN_ALL, &problems, &why) == IRI_INVALID_PROGRAM);
        CHECK_EQ_U64(problems.count, 1000);
        CHECK_EQ_U32(problems.items[999].offset, 999);
        CHECK_EQ_U32(problems.items[999].inst, 1000);
        CHECK_EQ_U32(why.offset, 0);
        CHECK_STR(why.reason, "%0: f32 = load.cb cb0, 8u: bytes 8 to 12 of cb0, which has 4");
        iri_problems_free(&problems);
        iri_problems_free(&problems);
        iri_program_free(p);
    }
    free(text);
}
