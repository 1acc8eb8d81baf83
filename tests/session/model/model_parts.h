/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the naive model share. */
#ifndef SESSION_MODEL_PARTS_H
#define SESSION_MODEL_PARTS_H

#include "session/model/model.h"

/* The model's own arrays are large enough; a test that asks for more is wrong. */
void model_need(bool condition);
void model_copy_text(char *to, size_t size, const char *from);
#define set_text(to, from) model_copy_text((to), sizeof(to), (from))

model_user *model_user_of(model_world *world, const char *name); /* made where there is none */
int64_t model_later(int64_t a, int64_t b);
bool model_is_gone(const model_world *world, const model_view *view);
/* Everything as it is now; temp: keys stay, and of the events those that were held and are still there, and those that
   came since. */
void model_bring_up_to_date(const model_world *world, model_view *view);

#endif
