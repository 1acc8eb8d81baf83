/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/pending.h"
#include "cli/json/print.h"
#include "cli/show/line.h"

enum { INDENT = 2 };

/* `task-1 0  answer = {"x": 1}` */
static void put_write(FILE *out, const agentchat_pending_write *write)
{
    (void)fprintf(out, "%s %lld  %s = ", write->task, (long long)write->index, write->channel);
    if (write->media_type.ptr == NULL) {
        cli_json_one_line(out, write->value);
        return;
    }
    (void)fputc('[', out);
    if (write->media_type.len > 0)
        (void)fwrite(write->media_type.ptr, 1, write->media_type.len, out);
    (void)fprintf(out, ", %zu byte%s]", write->value.len, write->value.len == 1 ? "" : "s");
}

bool show_pending(const cli_pager *pager, const agentchat_pending_list *list, bool full)
{
    show s = {.out = pager->out, .style = pager->style, .columns = pager->columns, .full = full};
    size_t count = agentchat_pending_list_count(list);

    (void)fprintf(s.out, "%s%s%s\n", s.style.dim, count > 0 ? "pending" : "nothing is pending", s.style.off);
    for (size_t i = 0; i < count && !ferror(s.out); i++) { /* nobody reads on after an error */
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);
        agentchat_str path = agentchat_str_from(write->path);
        cli_memory memory;

        if (cli_memory_begin(&memory))
            put_write(memory.out, write);
        show_line(&s, &memory, path.len > 0 ? path : (agentchat_str){NULL, 0}, INDENT);
    }
    return !s.failed;
}
