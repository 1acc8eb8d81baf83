/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of src/json/lex.c compiled once more without SSE2, under other names, so that a test can compare the two.
 */
#ifndef ACI_JSON_PORTABLE /* a build without SSE2 has it already */
#define ACI_JSON_PORTABLE
#endif
#define aci_lex_hex portable_lex_hex
#define aci_lex_escapes portable_lex_escapes
#define aci_lex_text_on portable_scan_text_on
#define aci_lex_number_slow portable_lex_number_slow
#define aci_lex_string_slow portable_lex_string_slow
#define aci_lex_decode_part portable_lex_decode_part
#define aci_lex_decode portable_lex_decode
#define aci_lex_decode_in_place portable_lex_decode_in_place
#define aci_json_plain_prefix_portable portable_plain_prefix_portable
#define aci_json_plain_prefix portable_plain_prefix
#define aci_json_spell portable_spell
/* clang-format off: json/lex.c must come first, it includes what the names above rename */
#include "json/escape.c"
#include "json/lex.c"
