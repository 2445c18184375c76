/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program in text that holds something of everything, for the tests of text and validator.
 */
#ifndef IRI_TESTS_UNIT_TEST_TEXT_H
#define IRI_TESTS_UNIT_TEST_TEXT_H

extern const char *const iri_test_rich_text;

#endif
