/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the objects deeper down in an event of Google's ADKs: names and kinds of values as google-adk 2.13
 * with google-genai 2.34 was seen to take them (docs/formats/adk.md). Layer 5. Unknown members of these it refuses.
 */
#include "event/adk.h"

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
        (name), NULL, NULL, (uint8_t)ACI_ADK_ANY, (uint8_t)ACI_ADK_ONE, false                                          \
    }
#define BIT(index) (UINT64_C(1) << (index))

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static const aci_adk_name executable_code[] = {STRING("code"), STRING("language"), STRING("id")};
const aci_adk_table aci_adk_executable_code = ACI_ADK_TABLE(executable_code);

static const aci_adk_name code_result[] = {STRING("outcome"), STRING("output"), STRING("id")};
const aci_adk_table aci_adk_code_result = ACI_ADK_TABLE(code_result);

static const aci_adk_name tool_call[] = {STRING("id"), STRING("toolType"), OBJECT("args")};
const aci_adk_table aci_adk_tool_call = ACI_ADK_TABLE(tool_call);

static const aci_adk_name tool_response[] = {STRING("id"), STRING("toolType"), OBJECT("response")};
const aci_adk_table aci_adk_tool_response = ACI_ADK_TABLE(tool_response);

static const aci_adk_name partial_arg[] = {
    BOOLEAN("boolValue"),  STRING("jsonPath"),    {"nullValue", NULL, " NULL_VALUE ", ACI_ADK_WORD, ACI_ADK_ONE, true},
    NUMBER("numberValue"), STRING("stringValue"), BOOLEAN("willContinue")};
const aci_adk_table aci_adk_partial_arg = ACI_ADK_TABLE(partial_arg);

static const aci_adk_name response_part[] = {IS("inlineData", aci_adk_data), IS("fileData", aci_adk_file),
                                             STRING("mediaProcessing")};
const aci_adk_table aci_adk_response_part = ACI_ADK_TABLE(response_part);

static const aci_adk_name video[] = {STRING("startOffset"), STRING("endOffset"), NUMBER("fps")};
const aci_adk_table aci_adk_video = ACI_ADK_TABLE(video);

static const aci_adk_name resolution[] = {STRING("level"), INTEGER("numTokens")};
const aci_adk_table aci_adk_resolution = ACI_ADK_TABLE(resolution);

static const aci_adk_name speech[] = {STRING("speaker"), STRING("style")};
const aci_adk_table aci_adk_speech = ACI_ADK_TABLE(speech);

static const aci_adk_name word[] = {STRING("word"), STRING("startOffset"), STRING("endOffset")};
static const aci_adk_table word_table = ACI_ADK_TABLE(word);

static const aci_adk_name transcription[] = {STRING("text"),         BOOLEAN("finished"),      STRING("languageCode"),
                                             STRING("speakerLabel"), ARE("words", word_table), STRING("startOffset"),
                                             STRING("endOffset")};
const aci_adk_table aci_adk_transcription = ACI_ADK_TABLE(transcription);

/* ---- grounding -------------------------------------------------------------------------------------------------- */

static const aci_adk_name image[] = {STRING("sourceUri"), STRING("imageUri"), STRING("title"), STRING("domain")};
static const aci_adk_table image_table = ACI_ADK_TABLE(image);

static const aci_adk_name attribution[] = {STRING("displayName"), STRING("photoUri"), STRING("uri")};
static const aci_adk_table attribution_table = ACI_ADK_TABLE(attribution);

static const aci_adk_name snippet[] = {IS("authorAttribution", attribution_table),
                                       STRING("flagContentUri"),
                                       STRING("googleMapsUri"),
                                       STRING("relativePublishTimeDescription"),
                                       STRING("review"),
                                       STRING("reviewId"),
                                       STRING("title")};
static const aci_adk_table snippet_table = ACI_ADK_TABLE(snippet);

static const aci_adk_name answer_sources[] = {ARE("reviewSnippet", snippet_table), STRING("flagContentUri"),
                                              ARE("reviewSnippets", snippet_table)};
static const aci_adk_table answer_sources_table = ACI_ADK_TABLE(answer_sources);

static const aci_adk_name maps_route[] = {INTEGER("distanceMeters"), STRING("duration"), STRING("encodedPolyline")};
static const aci_adk_table maps_route_table = ACI_ADK_TABLE(maps_route);

static const aci_adk_name maps[] = {IS("placeAnswerSources", answer_sources_table),
                                    STRING("placeId"),
                                    STRING("text"),
                                    STRING("title"),
                                    STRING("uri"),
                                    IS("route", maps_route_table)};
static const aci_adk_table maps_table = ACI_ADK_TABLE(maps);

static const aci_adk_name page_span[] = {INTEGER("firstPage"), INTEGER("lastPage")};
static const aci_adk_table page_span_table = ACI_ADK_TABLE(page_span);

static const aci_adk_name rag_chunk[] = {IS("pageSpan", page_span_table), STRING("text"), STRING("chunkId"),
                                         STRING("fileId")};
static const aci_adk_table rag_chunk_table = ACI_ADK_TABLE(rag_chunk);

static const aci_adk_name string_list[] = {STRINGS("values")};
static const aci_adk_table string_list_table = ACI_ADK_TABLE(string_list);

static const aci_adk_name chunk_metadata[] = {STRING("key"), NUMBER("numericValue"),
                                              IS("stringListValue", string_list_table), STRING("stringValue")};
static const aci_adk_table chunk_metadata_table = ACI_ADK_TABLE(chunk_metadata);

static const aci_adk_name retrieved[] = {STRING("documentName"),
                                         IS("ragChunk", rag_chunk_table),
                                         STRING("text"),
                                         STRING("title"),
                                         STRING("uri"),
                                         ARE("customMetadata", chunk_metadata_table),
                                         STRING("fileSearchStore"),
                                         INTEGER("pageNumber"),
                                         STRING("mediaId")};
static const aci_adk_table retrieved_table = ACI_ADK_TABLE(retrieved);

static const aci_adk_name web[] = {STRING("domain"), STRING("title"), STRING("uri")};
static const aci_adk_table web_table = ACI_ADK_TABLE(web);

static const aci_adk_name chunk[] = {IS("image", image_table), IS("maps", maps_table),
                                     IS("retrievedContext", retrieved_table), IS("web", web_table)};
static const aci_adk_table chunk_table = ACI_ADK_TABLE(chunk);

static const aci_adk_name segment[] = {INTEGER("startIndex"), INTEGER("endIndex"), INTEGER("partIndex"),
                                       STRING("text")};
static const aci_adk_table segment_table = ACI_ADK_TABLE(segment);

static const aci_adk_name support[] = {ACI_ADK_KINDS(NUMBER, "confidenceScores"),
                                       ACI_ADK_KINDS(INTEGER, "groundingChunkIndices"), IS("segment", segment_table),
                                       ACI_ADK_KINDS(INTEGER, "renderedParts")};
static const aci_adk_table support_table = ACI_ADK_TABLE(support);

static const aci_adk_name retrieval[] = {NUMBER("googleSearchDynamicRetrievalScore")};
static const aci_adk_table retrieval_table = ACI_ADK_TABLE(retrieval);

static const aci_adk_name entry_point[] = {STRING("renderedContent"), BYTES("sdkBlob")};
static const aci_adk_table entry_point_table = ACI_ADK_TABLE(entry_point);

static const aci_adk_name flagging[] = {STRING("flagContentUri"), STRING("sourceId")};
static const aci_adk_table flagging_table = ACI_ADK_TABLE(flagging);

static const aci_adk_name grounding[] = {STRINGS("imageSearchQueries"),
                                         ARE("groundingChunks", chunk_table),
                                         ARE("groundingSupports", support_table),
                                         IS("retrievalMetadata", retrieval_table),
                                         IS("searchEntryPoint", entry_point_table),
                                         STRINGS("webSearchQueries"),
                                         STRING("googleMapsWidgetContextToken"),
                                         STRINGS("retrievalQueries"),
                                         ARE("sourceFlaggingUris", flagging_table)};
const aci_adk_table aci_adk_grounding = ACI_ADK_TABLE(grounding);

/* ---- what a model tells ------------------------------------------------------------------------------------------ */

static const aci_adk_name tokens[] = {STRING("modality"), INTEGER("tokenCount")};
static const aci_adk_table tokens_table = ACI_ADK_TABLE(tokens);

static const aci_adk_name usage[] = {ARE("cacheTokensDetails", tokens_table),
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
const aci_adk_table aci_adk_usage = ACI_ADK_TABLE(usage);
_Static_assert(sizeof usage / sizeof *usage == ACI_ADK_USAGE_RUST + 2, "as the indices have it");

static const aci_adk_name resumption[] = {STRING("newHandle"), BOOLEAN("resumable"),
                                          INTEGER("lastConsumedClientMessageIndex")};
const aci_adk_table aci_adk_resumption = ACI_ADK_TABLE(resumption);

static const aci_adk_name go_away[] = {STRING("timeLeft")};
const aci_adk_table aci_adk_go_away = ACI_ADK_TABLE(go_away);

static const aci_adk_name voice_activity[] = {STRING("voiceActivityType"), STRING("audioOffset")};
const aci_adk_table aci_adk_voice_activity = ACI_ADK_TABLE(voice_activity);

static const aci_adk_name candidate[] = {NUMBER("logProbability"), STRING("token"), INTEGER("tokenId")};
static const aci_adk_table candidate_table = ACI_ADK_TABLE(candidate);

static const aci_adk_name candidates[] = {ARE("candidates", candidate_table)};
static const aci_adk_table candidates_table = ACI_ADK_TABLE(candidates);

static const aci_adk_name logprobs[] = {ARE("chosenCandidates", candidate_table),
                                        ARE("topCandidates", candidates_table), NUMBER("logProbabilitySum")};
const aci_adk_table aci_adk_logprobs = ACI_ADK_TABLE(logprobs);

static const aci_adk_name date[] = {INTEGER("year"), INTEGER("month"), INTEGER("day")};
static const aci_adk_table date_table = ACI_ADK_TABLE(date);

static const aci_adk_name citation[] = {
    INTEGER("startIndex"), INTEGER("endIndex"),
    STRING("uri"),         STRING("title"),
    STRING("license"),     ACI_ADK_VALUE_OF("publicationDate", ACI_ADK_DATE, ACI_ADK_ONE, &date_table)};
const aci_adk_table aci_adk_citation = ACI_ADK_TABLE(citation);

static const aci_adk_name citation_list[] = {ARE("citations", aci_adk_citation), RUST("citationSources")};
const aci_adk_table aci_adk_citation_list = ACI_ADK_TABLE(citation_list);

/* In snake_case always. */
enum { CACHE_NAME, CACHE_EXPIRES, CACHE_USED, CACHE_FINGERPRINT, CACHE_CONTENTS };
static const aci_adk_name cache[] = {STRING("cache_name"),
                                     NUMBER("expire_time"),
                                     ACI_ADK_KIND(COUNT, "invocations_used"),
                                     STRING("fingerprint"),
                                     ACI_ADK_KIND(COUNT, "contents_count"),
                                     NUMBER("created_at")};
const aci_adk_table aci_adk_cache = ACI_ADK_TABLE_OF(cache, BIT(CACHE_FINGERPRINT) | BIT(CACHE_CONTENTS),
                                                     BIT(CACHE_NAME) | BIT(CACHE_EXPIRES) | BIT(CACHE_USED), false);

/* ---- what ADK itself keeps --------------------------------------------------------------------------------------- */

static const aci_adk_name node_info[] = {STRING("path"), STRINGS("outputFor"), BOOLEAN("messageAsOutput")};
const aci_adk_table aci_adk_node_info = ACI_ADK_TABLE_OF(node_info, 0, 0, true);

static const aci_adk_name confirmation[] = {STRING("hint"), BOOLEAN("confirmed"), ACI_ADK_KIND(ANY, "payload")};
const aci_adk_table aci_adk_confirmation = ACI_ADK_TABLE(confirmation);

static const aci_adk_name widget[] = {STRING("id"), STRING("provider"), OBJECT("payload")};
const aci_adk_table aci_adk_widget = ACI_ADK_TABLE_OF(widget, BIT(0) | BIT(1), 0, false);
