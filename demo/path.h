/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMO_PATH_H
#define DEMO_PATH_H

typedef struct path {
    char text[1024];
} path;

/* DIR/NAME; ends the program when that is too long. */
path path_join(const char *dir, const char *name);

#endif
