/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of every golden and recorded file: the same bytes twice, every text as it stands, and nothing that a page
   may not hold. */
#include "page_test.h"

typedef struct texts {
    agentchat_str *list; /* each to be released with free() */
    size_t count, next;
} texts;

static void add_text(texts *t, char *text, size_t len)
{
    t->list = realloc(t->list, (t->count + 1) * sizeof *t->list);
    assert_non_null(t->list);
    t->list[t->count++] = (agentchat_str){text, len};
}

/* What the page's blocks of text hold as it stands: what is not Markdown, and what is shown beside it. */
static texts texts_of_page(const agentchat_bytes *page)
{
    static const char plain[] = "<div class=\"plain\" dir=\"auto\">", raw[] = "<pre class=\"raw\" dir=\"auto\">";
    texts found = {NULL, 0, 0};

    for (const char *p = page->ptr; (p = strchr(p, '<')) != NULL; p++) {
        bool is_plain = strncmp(p, plain, sizeof plain - 1) == 0;
        const char *end;
        char *text;

        if (!is_plain && strncmp(p, raw, sizeof raw - 1) != 0)
            continue;
        end = strstr(p, is_plain ? "</div>" : "</pre>");
        assert_non_null(end);
        text = malloc((size_t)(end - p) + 1);
        add_text(&found, text, view_text(p, (size_t)(end - p), text));
    }
    return found;
}

static void clear_texts(texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free((char *)t->list[i].ptr);
    free(t->list);
}

/* Texts stand in the page in the order of the chat, but for what channels hold: looked for from the last one on. */
static void find_text(texts *found, agentchat_str text)
{
    if (text.ptr == NULL || text.len == 0 || agentchat_str_is_null(text))
        return;
    for (size_t i = 0; i < found->count; i++) {
        agentchat_str candidate = found->list[(found->next + i) % found->count];

        if (candidate.len == text.len && memcmp(candidate.ptr, text.ptr, text.len) == 0) {
            found->next += i + 1;
            return;
        }
    }
    fail_msg("not in the page: %.*s", (int)text.len, text.ptr);
}

static size_t find_message(texts *found, const agentchat_message *message)
{
    size_t texts_in_it = 0;

    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        if (item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_REASONING ||
            item->kind == AGENTCHAT_ITEM_ACTION) {
            find_text(found, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
            texts_in_it++;
        } else if (item->kind == AGENTCHAT_ITEM_MESSAGE) {
            texts_in_it += find_message(found, item->u.message);
        }
    }
    return texts_in_it;
}

static size_t find_messages(texts *found, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages), texts_in_them = 0;

    for (size_t i = 0; i < count; i++)
        texts_in_them += find_message(found, agentchat_messages_at(messages, i));
    return texts_in_them;
}

static size_t find_chat(texts *found, const agentchat_snapshot *chat)
{
    size_t texts_in_it = find_messages(found, &chat->history);

    for (size_t i = 0; i < chat->channel_count; i++) {
        if (chat->channels[i].kind == AGENTCHAT_CHANNEL_CHAT)
            texts_in_it += find_chat(found, chat->channels[i].chat);
        else if (chat->channels[i].kind == AGENTCHAT_CHANNEL_MESSAGES)
            texts_in_it += find_messages(found, &chat->channels[i].messages);
    }
    return texts_in_it;
}

typedef struct tally {
    size_t files, texts;
} tally;

static void check_file(const char *path, void *user)
{
    agentchat_bytes page, again;
    agentchat_snapshot *chat;
    tally *t = user;
    texts found;

    if (agentchat_snapshot_read_file(NULL, path, NULL, &chat, NULL, NULL) < 0)
        return; /* a file that is there to be refused, or of another kind */
    page = page_of(chat, NULL);
    again = page_of(chat, NULL);
    assert_int_equal(page.len, again.len);
    assert_memory_equal(page.ptr, again.ptr, page.len);
    found = texts_of_page(&page);
    t->texts += find_chat(&found, chat);
    t->files++;
    clear_texts(&found);
    agentchat_bytes_clear(&page);
    agentchat_bytes_clear(&again);
    agentchat_snapshot_unref(chat);
}

static void check_folder(const char *folder, const char *suffix, size_t files, size_t texts_in_them)
{
    char *dir = test_path(test_data_dir(), folder);
    tally t = {0, 0};

    test_each_file(dir, suffix, check_file, &t);
    if (t.files < files || t.texts < texts_in_them)
        fail_msg("%s: %zu files and %zu texts", dir, t.files, t.texts);
    free(dir);
}

static void test_page__of_every_golden_file(void **state)
{
    (void)state;
    check_folder("data/golden/format-1", ".json", 5, 10);
    check_folder("format/agentchat/cases", ".native", 10, 5);
}

static void test_page__of_every_recorded_file(void **state)
{
    (void)state;
    check_folder("interop/semantic-kernel/recorded", ".json", 250, 1000);
}

static void test_page__of_every_real_file(void **state)
{
    tally t = {0, 0};

    (void)state;
    if (test_real_files() == NULL)
        skip();
    test_each_file(test_real_files(), ".json", check_file, &t);
    assert_true(t.files > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__of_every_golden_file),
        cmocka_unit_test(test_page__of_every_recorded_file),
        cmocka_unit_test(test_page__of_every_real_file),
    };

    return cmocka_run_group_tests_name("page_files", tests, NULL, NULL);
}
