/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the objects deeper down in an event of Google's ADKs: names and kinds of values as google-adk 2.13
 * with google-genai 2.34 was seen to accept them (docs/formats/adk.md). Unknown members of these it refuses.
 */
#include "format/adk/tables.h"

#define STRING(name) ACI_ADK_KIND(STRING, name)
#define STRINGS(name) ACI_ADK_KINDS(STRING, name)
#define BOOLEAN(name) ACI_ADK_KIND(BOOLEAN, name)
#define INTEGER(name) ACI_ADK_KIND(INTEGER, name)
#define NUMBER(name) ACI_ADK_KIND(NUMBER, name)
#define OBJECT(name) ACI_ADK_KIND(OBJECT, name)
#define BYTES(name) ACI_ADK_KIND(BYTES, name)
#define IS(name, of) ACI_ADK_IS(name, &(of))
#define ARE(name, of) ACI_ADK_ARE(name, &(of))
#define RUST(name)                                                                                                     \
    {                                                                                                                  \
        .camel = (name)                                                                                                \
    }
#define BIT(index) (UINT64_C(1) << (index))

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static const aci_table_row executable_code[] = {STRING("code"), STRING("language"), STRING("id")};
const aci_object_table aci_adk_executable_code = ACI_ADK_TABLE(executable_code);

static const aci_table_row code_result[] = {STRING("outcome"), STRING("output"), STRING("id")};
const aci_object_table aci_adk_code_result = ACI_ADK_TABLE(code_result);

static const aci_table_row tool_call[] = {STRING("id"), STRING("toolType"), OBJECT("args")};
const aci_object_table aci_adk_tool_call = ACI_ADK_TABLE(tool_call);

static const aci_table_row tool_response[] = {STRING("id"), STRING("toolType"), OBJECT("response")};
const aci_object_table aci_adk_tool_response = ACI_ADK_TABLE(tool_response);

static const aci_table_row partial_arg[] = {
    BOOLEAN("boolValue"),
    STRING("jsonPath"),
    {.camel = "nullValue", .words = " NULL_VALUE ", .kind = ACI_ADK_WORD, .is_google = true},
    NUMBER("numberValue"),
    STRING("stringValue"),
    BOOLEAN("willContinue")};
const aci_object_table aci_adk_partial_arg = ACI_ADK_TABLE(partial_arg);

static const aci_table_row data[] = {BYTES("data"), ACI_ADK_FIELD(STRING, "mimeType", MIME_TYPE),
                                     STRING("displayName")};
const aci_object_table aci_adk_data = ACI_ADK_TABLE(data);

static const aci_table_row file[] = {ACI_ADK_FIELD(STRING, "fileUri", URI),
                                     ACI_ADK_FIELD(STRING, "mimeType", MIME_TYPE), STRING("displayName")};
const aci_object_table aci_adk_file = ACI_ADK_TABLE(file);

static const aci_table_row response_part[] = {IS("inlineData", aci_adk_data), IS("fileData", aci_adk_file),
                                              STRING("mediaProcessing")};
const aci_object_table aci_adk_response_part = ACI_ADK_TABLE(response_part);

static const aci_table_row video[] = {STRING("startOffset"), STRING("endOffset"), NUMBER("fps")};
const aci_object_table aci_adk_video = ACI_ADK_TABLE(video);

static const aci_table_row resolution[] = {STRING("level"), INTEGER("numTokens")};
const aci_object_table aci_adk_resolution = ACI_ADK_TABLE(resolution);

static const aci_table_row speech[] = {STRING("speaker"), STRING("style")};
const aci_object_table aci_adk_speech = ACI_ADK_TABLE(speech);

static const aci_table_row word[] = {STRING("word"), STRING("startOffset"), STRING("endOffset")};
static const aci_object_table word_table = ACI_ADK_TABLE(word);

static const aci_table_row transcription[] = {STRING("text"),         BOOLEAN("finished"),      STRING("languageCode"),
                                              STRING("speakerLabel"), ARE("words", word_table), STRING("startOffset"),
                                              STRING("endOffset")};
const aci_object_table aci_adk_transcription = ACI_ADK_TABLE(transcription);

/* ---- grounding -------------------------------------------------------------------------------------------------- */

static const aci_table_row image[] = {STRING("sourceUri"), STRING("imageUri"), STRING("title"), STRING("domain")};
static const aci_object_table image_table = ACI_ADK_TABLE(image);

static const aci_table_row attribution[] = {STRING("displayName"), STRING("photoUri"), STRING("uri")};
static const aci_object_table attribution_table = ACI_ADK_TABLE(attribution);

static const aci_table_row snippet[] = {IS("authorAttribution", attribution_table),
                                        STRING("flagContentUri"),
                                        STRING("googleMapsUri"),
                                        STRING("relativePublishTimeDescription"),
                                        STRING("review"),
                                        STRING("reviewId"),
                                        STRING("title")};
static const aci_object_table snippet_table = ACI_ADK_TABLE(snippet);

static const aci_table_row answer_sources[] = {ARE("reviewSnippet", snippet_table), STRING("flagContentUri"),
                                               ARE("reviewSnippets", snippet_table)};
static const aci_object_table answer_sources_table = ACI_ADK_TABLE(answer_sources);

static const aci_table_row maps_route[] = {INTEGER("distanceMeters"), STRING("duration"), STRING("encodedPolyline")};
static const aci_object_table maps_route_table = ACI_ADK_TABLE(maps_route);

static const aci_table_row maps[] = {IS("placeAnswerSources", answer_sources_table),
                                     STRING("placeId"),
                                     STRING("text"),
                                     STRING("title"),
                                     STRING("uri"),
                                     IS("route", maps_route_table)};
static const aci_object_table maps_table = ACI_ADK_TABLE(maps);

static const aci_table_row page_span[] = {INTEGER("firstPage"), INTEGER("lastPage")};
static const aci_object_table page_span_table = ACI_ADK_TABLE(page_span);

static const aci_table_row rag_chunk[] = {IS("pageSpan", page_span_table), STRING("text"), STRING("chunkId"),
                                          STRING("fileId")};
static const aci_object_table rag_chunk_table = ACI_ADK_TABLE(rag_chunk);

static const aci_table_row string_list[] = {STRINGS("values")};
static const aci_object_table string_list_table = ACI_ADK_TABLE(string_list);

static const aci_table_row chunk_metadata[] = {STRING("key"), NUMBER("numericValue"),
                                               IS("stringListValue", string_list_table), STRING("stringValue")};
static const aci_object_table chunk_metadata_table = ACI_ADK_TABLE(chunk_metadata);

static const aci_table_row retrieved[] = {STRING("documentName"),
                                          IS("ragChunk", rag_chunk_table),
                                          STRING("text"),
                                          STRING("title"),
                                          STRING("uri"),
                                          ARE("customMetadata", chunk_metadata_table),
                                          STRING("fileSearchStore"),
                                          INTEGER("pageNumber"),
                                          STRING("mediaId")};
static const aci_object_table retrieved_table = ACI_ADK_TABLE(retrieved);

static const aci_table_row web[] = {STRING("domain"), STRING("title"), STRING("uri")};
static const aci_object_table web_table = ACI_ADK_TABLE(web);

static const aci_table_row chunk[] = {IS("image", image_table), IS("maps", maps_table),
                                      IS("retrievedContext", retrieved_table), IS("web", web_table)};
static const aci_object_table chunk_table = ACI_ADK_TABLE(chunk);

static const aci_table_row segment[] = {INTEGER("startIndex"), INTEGER("endIndex"), INTEGER("partIndex"),
                                        STRING("text")};
static const aci_object_table segment_table = ACI_ADK_TABLE(segment);

static const aci_table_row support[] = {ACI_ADK_KINDS(NUMBER, "confidenceScores"),
                                        ACI_ADK_KINDS(INTEGER, "groundingChunkIndices"), IS("segment", segment_table),
                                        ACI_ADK_KINDS(INTEGER, "renderedParts")};
static const aci_object_table support_table = ACI_ADK_TABLE(support);

static const aci_table_row retrieval[] = {NUMBER("googleSearchDynamicRetrievalScore")};
static const aci_object_table retrieval_table = ACI_ADK_TABLE(retrieval);

static const aci_table_row entry_point[] = {STRING("renderedContent"), BYTES("sdkBlob")};
static const aci_object_table entry_point_table = ACI_ADK_TABLE(entry_point);

static const aci_table_row flagging[] = {STRING("flagContentUri"), STRING("sourceId")};
static const aci_object_table flagging_table = ACI_ADK_TABLE(flagging);

static const aci_table_row grounding[] = {STRINGS("imageSearchQueries"),
                                          ARE("groundingChunks", chunk_table),
                                          ARE("groundingSupports", support_table),
                                          IS("retrievalMetadata", retrieval_table),
                                          IS("searchEntryPoint", entry_point_table),
                                          STRINGS("webSearchQueries"),
                                          STRING("googleMapsWidgetContextToken"),
                                          STRINGS("retrievalQueries"),
                                          ARE("sourceFlaggingUris", flagging_table)};
const aci_object_table aci_adk_grounding = ACI_ADK_TABLE(grounding);

/* ---- what a model reports ---------------------------------------------------------------------------------------- */

static const aci_table_row tokens[] = {STRING("modality"), INTEGER("tokenCount")};
static const aci_object_table tokens_table = ACI_ADK_TABLE(tokens);

static const aci_table_row usage[] = {ARE("cacheTokensDetails", tokens_table),
                                      INTEGER("cachedContentTokenCount"),
                                      INTEGER("candidatesTokenCount"),
                                      ARE("candidatesTokensDetails", tokens_table),
                                      INTEGER("promptTokenCount"),
                                      ARE("promptTokensDetails", tokens_table),
                                      INTEGER("thoughtsTokenCount"),
                                      INTEGER("toolUsePromptTokenCount"),
                                      ARE("toolUsePromptTokensDetails", tokens_table),
                                      INTEGER("totalTokenCount"),
                                      STRING("trafficType"),
                                      RUST("cacheReadInputTokenCount"),
                                      RUST("thinkingTokenCount")};
const aci_object_table aci_adk_usage = ACI_ADK_TABLE(usage);
_Static_assert(sizeof usage / sizeof *usage == ACI_ADK_USAGE_RUST + 2, "as the indices have it");

static const aci_table_row resumption[] = {STRING("newHandle"), BOOLEAN("resumable"),
                                           INTEGER("lastConsumedClientMessageIndex")};
const aci_object_table aci_adk_resumption = ACI_ADK_TABLE(resumption);

static const aci_table_row go_away[] = {STRING("timeLeft")};
const aci_object_table aci_adk_go_away = ACI_ADK_TABLE(go_away);

static const aci_table_row voice_activity[] = {STRING("voiceActivityType"), STRING("audioOffset")};
const aci_object_table aci_adk_voice_activity = ACI_ADK_TABLE(voice_activity);

static const aci_table_row candidate[] = {NUMBER("logProbability"), STRING("token"), INTEGER("tokenId")};
static const aci_object_table candidate_table = ACI_ADK_TABLE(candidate);

static const aci_table_row candidates[] = {ARE("candidates", candidate_table)};
static const aci_object_table candidates_table = ACI_ADK_TABLE(candidates);

static const aci_table_row logprobs[] = {ARE("chosenCandidates", candidate_table),
                                         ARE("topCandidates", candidates_table), NUMBER("logProbabilitySum")};
const aci_object_table aci_adk_logprobs = ACI_ADK_TABLE(logprobs);

static const aci_table_row date[] = {INTEGER("year"), INTEGER("month"), INTEGER("day")};
static const aci_object_table date_table = ACI_ADK_TABLE(date);

static const aci_table_row citation[] = {
    INTEGER("startIndex"), INTEGER("endIndex"),
    STRING("uri"),         STRING("title"),
    STRING("license"),     ACI_ADK_VALUE_OF("publicationDate", ACI_ADK_DATE, ACI_ADK_ONE, &date_table)};
const aci_object_table aci_adk_citation = ACI_ADK_TABLE(citation);

static const aci_table_row citation_list[] = {ARE("citations", aci_adk_citation), RUST("citationSources")};
const aci_object_table aci_adk_citation_list = ACI_ADK_TABLE(citation_list);

/* In snake_case always. */
enum { CACHE_NAME, CACHE_EXPIRES, CACHE_USED, CACHE_FINGERPRINT, CACHE_CONTENTS };
static const aci_table_row cache[] = {STRING("cache_name"),
                                      NUMBER("expire_time"),
                                      ACI_ADK_KIND(COUNT, "invocations_used"),
                                      STRING("fingerprint"),
                                      ACI_ADK_KIND(COUNT, "contents_count"),
                                      NUMBER("created_at")};
const aci_object_table aci_adk_cache = ACI_ADK_TABLE_OF(cache, BIT(CACHE_FINGERPRINT) | BIT(CACHE_CONTENTS),
                                                        BIT(CACHE_NAME) | BIT(CACHE_EXPIRES) | BIT(CACHE_USED), false);

/* ---- what ADK itself keeps --------------------------------------------------------------------------------------- */

static const aci_table_row node_info[] = {STRING("path"), STRINGS("outputFor"), BOOLEAN("messageAsOutput")};
const aci_object_table aci_adk_node_info = ACI_ADK_TABLE_OF(node_info, 0, 0, true);

static const aci_table_row confirmation[] = {STRING("hint"), BOOLEAN("confirmed"), ACI_ADK_KIND(ANY, "payload")};
const aci_object_table aci_adk_confirmation = ACI_ADK_TABLE(confirmation);

static const aci_table_row widget[] = {STRING("id"), STRING("provider"), OBJECT("payload")};
const aci_object_table aci_adk_widget = ACI_ADK_TABLE_OF(widget, BIT(0) | BIT(1), 0, false);
