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
#define MODEL(...) ACI_ADK_TABLE(((const aci_table_row[]){__VA_ARGS__}))
#define BIT(index) (UINT64_C(1) << (index))

/* ---- parts ------------------------------------------------------------------------------------------------------ */

const aci_object_table aci_adk_executable_code = MODEL(STRING("code"), STRING("language"), STRING("id"));

const aci_object_table aci_adk_code_result = MODEL(STRING("outcome"), STRING("output"), STRING("id"));

const aci_object_table aci_adk_tool_call = MODEL(STRING("id"), STRING("toolType"), OBJECT("args"));

const aci_object_table aci_adk_tool_response = MODEL(STRING("id"), STRING("toolType"), OBJECT("response"));

const aci_object_table aci_adk_partial_arg =
    MODEL(BOOLEAN("boolValue"), STRING("jsonPath"),
          {.camel = "nullValue", .words = " NULL_VALUE ", .kind = ACI_ADK_WORD, .is_google = true},
          NUMBER("numberValue"), STRING("stringValue"), BOOLEAN("willContinue"));

const aci_object_table aci_adk_data =
    MODEL(BYTES("data"), ACI_ADK_FIELD(STRING, "mimeType", MIME_TYPE), STRING("displayName"));

const aci_object_table aci_adk_file =
    MODEL(ACI_ADK_FIELD(STRING, "fileUri", URI), ACI_ADK_FIELD(STRING, "mimeType", MIME_TYPE), STRING("displayName"));

const aci_object_table aci_adk_response_part =
    MODEL(IS("inlineData", aci_adk_data), IS("fileData", aci_adk_file), STRING("mediaProcessing"));

const aci_object_table aci_adk_video = MODEL(STRING("startOffset"), STRING("endOffset"), NUMBER("fps"));

const aci_object_table aci_adk_resolution = MODEL(STRING("level"), INTEGER("numTokens"));

const aci_object_table aci_adk_speech = MODEL(STRING("speaker"), STRING("style"));

static const aci_object_table word_table = MODEL(STRING("word"), STRING("startOffset"), STRING("endOffset"));

const aci_object_table aci_adk_transcription =
    MODEL(STRING("text"), BOOLEAN("finished"), STRING("languageCode"), STRING("speakerLabel"), ARE("words", word_table),
          STRING("startOffset"), STRING("endOffset"));

/* ---- grounding -------------------------------------------------------------------------------------------------- */

static const aci_object_table image_table =
    MODEL(STRING("sourceUri"), STRING("imageUri"), STRING("title"), STRING("domain"));

static const aci_object_table attribution_table = MODEL(STRING("displayName"), STRING("photoUri"), STRING("uri"));

static const aci_object_table snippet_table =
    MODEL(IS("authorAttribution", attribution_table), STRING("flagContentUri"), STRING("googleMapsUri"),
          STRING("relativePublishTimeDescription"), STRING("review"), STRING("reviewId"), STRING("title"));

static const aci_object_table answer_sources_table =
    MODEL(ARE("reviewSnippet", snippet_table), STRING("flagContentUri"), ARE("reviewSnippets", snippet_table));

static const aci_object_table maps_route_table =
    MODEL(INTEGER("distanceMeters"), STRING("duration"), STRING("encodedPolyline"));

static const aci_object_table maps_table =
    MODEL(IS("placeAnswerSources", answer_sources_table), STRING("placeId"), STRING("text"), STRING("title"),
          STRING("uri"), IS("route", maps_route_table));

static const aci_object_table page_span_table = MODEL(INTEGER("firstPage"), INTEGER("lastPage"));

static const aci_object_table rag_chunk_table =
    MODEL(IS("pageSpan", page_span_table), STRING("text"), STRING("chunkId"), STRING("fileId"));

static const aci_object_table string_list_table = MODEL(STRINGS("values"));

static const aci_object_table chunk_metadata_table =
    MODEL(STRING("key"), NUMBER("numericValue"), IS("stringListValue", string_list_table), STRING("stringValue"));

static const aci_object_table retrieved_table = MODEL(
    STRING("documentName"), IS("ragChunk", rag_chunk_table), STRING("text"), STRING("title"), STRING("uri"),
    ARE("customMetadata", chunk_metadata_table), STRING("fileSearchStore"), INTEGER("pageNumber"), STRING("mediaId"));

static const aci_object_table web_table = MODEL(STRING("domain"), STRING("title"), STRING("uri"));

static const aci_object_table chunk_table = MODEL(IS("image", image_table), IS("maps", maps_table),
                                                  IS("retrievedContext", retrieved_table), IS("web", web_table));

static const aci_object_table segment_table =
    MODEL(INTEGER("startIndex"), INTEGER("endIndex"), INTEGER("partIndex"), STRING("text"));

static const aci_object_table support_table =
    MODEL(ACI_ADK_KINDS(NUMBER, "confidenceScores"), ACI_ADK_KINDS(INTEGER, "groundingChunkIndices"),
          IS("segment", segment_table), ACI_ADK_KINDS(INTEGER, "renderedParts"));

static const aci_object_table retrieval_table = MODEL(NUMBER("googleSearchDynamicRetrievalScore"));

static const aci_object_table entry_point_table = MODEL(STRING("renderedContent"), BYTES("sdkBlob"));

static const aci_object_table flagging_table = MODEL(STRING("flagContentUri"), STRING("sourceId"));

const aci_object_table aci_adk_grounding = MODEL(
    STRINGS("imageSearchQueries"), ARE("groundingChunks", chunk_table), ARE("groundingSupports", support_table),
    IS("retrievalMetadata", retrieval_table), IS("searchEntryPoint", entry_point_table), STRINGS("webSearchQueries"),
    STRING("googleMapsWidgetContextToken"), STRINGS("retrievalQueries"), ARE("sourceFlaggingUris", flagging_table));

/* ---- what a model reports ---------------------------------------------------------------------------------------- */

static const aci_object_table tokens_table = MODEL(STRING("modality"), INTEGER("tokenCount"));

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

const aci_object_table aci_adk_resumption =
    MODEL(STRING("newHandle"), BOOLEAN("resumable"), INTEGER("lastConsumedClientMessageIndex"));

const aci_object_table aci_adk_go_away = MODEL(STRING("timeLeft"));

const aci_object_table aci_adk_voice_activity = MODEL(STRING("voiceActivityType"), STRING("audioOffset"));

static const aci_object_table candidate_table = MODEL(NUMBER("logProbability"), STRING("token"), INTEGER("tokenId"));

static const aci_object_table candidates_table = MODEL(ARE("candidates", candidate_table));

const aci_object_table aci_adk_logprobs = MODEL(ARE("chosenCandidates", candidate_table),
                                                ARE("topCandidates", candidates_table), NUMBER("logProbabilitySum"));

static const aci_object_table date_table = MODEL(INTEGER("year"), INTEGER("month"), INTEGER("day"));

const aci_object_table aci_adk_citation =
    MODEL(INTEGER("startIndex"), INTEGER("endIndex"), STRING("uri"), STRING("title"), STRING("license"),
          ACI_ADK_VALUE_OF("publicationDate", ACI_ADK_DATE, ACI_TABLE_ONE, &date_table));

const aci_object_table aci_adk_citation_list = MODEL(ARE("citations", aci_adk_citation), RUST("citationSources"));

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

const aci_object_table aci_adk_confirmation = MODEL(STRING("hint"), BOOLEAN("confirmed"), ACI_ADK_KIND(ANY, "payload"));

static const aci_table_row widget[] = {STRING("id"), STRING("provider"), OBJECT("payload")};
const aci_object_table aci_adk_widget = ACI_ADK_TABLE_OF(widget, BIT(0) | BIT(1), 0, false);
