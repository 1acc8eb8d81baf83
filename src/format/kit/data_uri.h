/* SPDX-License-Identifier: Apache-2.0 */
/* Data URIs (RFC 2397) of the one shape that providers exchange: data:TYPE;base64,DATA. */
#ifndef ACI_FORMAT_KIT_DATA_URI_H
#define ACI_FORMAT_KIT_DATA_URI_H

#include "format/kit/object.h"
#include "format/kit/object_out.h"

/* Splits a URI that is spelled so, with a type and with base64 that is valid; false: it is not, and nothing is set. */
bool aci_data_uri_split(agentchat_str uri, agentchat_str *mime_type, agentchat_str *base64);

/* Reads the value of a row, a string, as the data that it holds and its media type, or as a URI: fields of o. *base64
   is set where it is data. */
bool aci_data_uri_read(aci_object *o, aci_object *inner, uint32_t row, agentchat_str *base64);
/* Writes an item's data, or its URI, under the name of a row; what is read back otherwise is reported. */
void aci_data_uri_write(aci_object_out *o, uint32_t row, const agentchat_item *item);
/* The name of a file that has none, in the formats that want one beside data; and writing the name of a file: as
   another format has it, or that. o: the item's object; inner: that in which it stands, perhaps the same. */
extern const char aci_data_uri_filename[9];
void aci_data_uri_write_filename(aci_object_out *o, aci_object_out *inner, uint32_t row);

#endif
