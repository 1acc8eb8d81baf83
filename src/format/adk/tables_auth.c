/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the authorisation that a tool asks for, as far as google-adk 2.13 checks it (docs/formats/adk.md). It
 * ignores members that it does not know.
 */
#include "format/adk/tables.h"

#define STRING(name) ACI_ADK_KIND(STRING, name)
#define INTEGER(name) ACI_ADK_KIND(INTEGER, name)
#define ONE_OF(name, list)                                                                                             \
    {                                                                                                                  \
        .camel = (name), .words = (list), .kind = (uint8_t)ACI_ADK_WORD, .is_google = true                             \
    }
#define OPEN(required, ...) ACI_ADK_TABLE_OF(((const aci_table_row[]){__VA_ARGS__}), required, 0, true)

static const aci_object_table basic_table = OPEN(0, STRING("username"), STRING("password"), STRING("token"));

static const aci_object_table http_table =
    OPEN(3, STRING("scheme"), ACI_ADK_IS("credentials", &basic_table),
         ACI_ADK_VALUE_OF("additionalHeaders", ACI_ADK_STRING, ACI_TABLE_MAP, NULL));

static const aci_object_table key_table =
    OPEN(0x3FF, STRING("projectId"), STRING("privateKeyId"), STRING("privateKey"), STRING("clientEmail"),
         STRING("clientId"), STRING("authUri"), STRING("tokenUri"), STRING("authProviderX509CertUrl"),
         STRING("clientX509CertUrl"), STRING("universeDomain"), STRING("type"), STRING("type_"));

static const aci_object_table service_account_table =
    OPEN(0, ACI_ADK_IS("serviceAccountCredential", &key_table), ACI_ADK_KIND(BOOLEAN, "useDefaultCredential"),
         ACI_ADK_KIND(BOOLEAN, "useIdToken"), STRING("audience"), ACI_ADK_KINDS(STRING, "scopes"));

static const aci_object_table oauth2_table = OPEN(
    0, STRING("clientId"), STRING("clientSecret"), STRING("authUri"), STRING("nonce"), STRING("state"),
    STRING("redirectUri"), STRING("authResponseUri"), STRING("authCode"), STRING("accessToken"), STRING("refreshToken"),
    STRING("idToken"), INTEGER("expiresAt"), INTEGER("expiresIn"), STRING("audience"), STRING("prompt"),
    STRING("codeVerifier"), STRING("codeChallengeMethod"),
    ONE_OF("tokenEndpointAuthMethod", " client_secret_basic client_secret_post client_secret_jwt private_key_jwt "));

static const aci_object_table credential_table =
    OPEN(1, ONE_OF("authType", " apiKey http oauth2 openIdConnect serviceAccount "), STRING("resourceRef"),
         STRING("apiKey"), ACI_ADK_IS("http", &http_table),
         ACI_ADK_VALUE_OF("serviceAccount", ACI_ADK_SERVICE_ACCOUNT, ACI_TABLE_ONE, &service_account_table),
         ACI_ADK_IS("oauth2", &oauth2_table));

const aci_object_table aci_adk_auth_config =
    OPEN(1, ACI_ADK_KIND(AUTH_SCHEME, "authScheme"), ACI_ADK_IS("rawAuthCredential", &credential_table),
         ACI_ADK_IS("exchangedAuthCredential", &credential_table), STRING("credentialKey"));
