/* The shards of a session: what it says of itself in the store. */
#include "sim/cli/session.h"

#include "sim/cli/command.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool session_is_shard(const struct session *session)
{
    return session->options->shard.count > 0;
}

/* What was asked for: the command and its words, but for those that say how and
   where. NULL: no memory. */
static char *shard_words(const struct experiment_options *options,
                         size_t *ret_size)
{
    static const char program[] = "lbsim ";
    size_t used = 0;
    size_t size = 1;

    for (int i = 0; i < options->argc; i++)
        size += strlen(options->argv[i]) + 1;
    char *words = malloc(size);
    for (int i = 0; words && i < options->argc; i++) {
        const char *word = options->argv[i];

        if (experiment_options_is_place(options, word))
            continue;
        if (i == 0 && strncmp(word, program, sizeof program - 1) == 0)
            word += sizeof program - 1;
        memcpy(words + used, word, strlen(word) + 1);
        used += strlen(word) + 1;
    }
    *ret_size = used;
    return words;
}

bool session_begin_shard(struct session *session,
                         const struct scenario *scenario)
{
    struct shard_record *record = &session->record;

    if (!session_is_shard(session) || record->words)
        return true;
    record->shard = session->options->shard;
    record->effective = scenario_effective(scenario);
    record->folder = getcwd(NULL, 0);
    record->words = shard_words(session->options, &record->words_size);
    if (!record->effective || !record->folder || !record->words) {
        command_complain("%s", record->folder ? "out of memory"
                                              : "there is no current folder");
        return false;
    }
    if (store_put_shard(session->store, record))
        return true;
    command_complain("%s", store_error(session->store));
    return false;
}

void session_note_work(struct session *session, const struct scenario *scenario,
                       const struct experiment_result *result)
{
    struct shard_record *record = &session->record;

    if (session->end == EXPERIMENT_WHOLE)
        session->end = result->end;
    record->work.simulations += result->work.simulations;
    record->work.done += result->work.done;
    if (session->in_strands)
        return;
    session->units += result->work.units;
    record->work.units = session->units;
    record->simulations_of_all +=
        (uint64_t)scenario->policy_count * scenario->replications;
}

void session_note_sweep(struct session *session, const struct scenario *base,
                        const struct sweep_result *result)
{
    struct shard_record *record = &session->record;

    session->end = result->end;
    record->work = result->work;
    if (!base->sweep.crossover.given)
        record->simulations_of_all =
            result->point_count * base->policy_count * base->replications;
}

bool session_strands(struct session *session, const struct scenario *scenario,
                     uint64_t strands)
{
    bool fine = session_begin_shard(session, scenario);

    session->in_strands = true;
    session->units = session->record.work.units = strands;
    return fine;
}

bool session_has_strand(const struct session *session, uint64_t strand)
{
    return shard_has(&session->options->shard, strand);
}

static void tell_shard(const struct session *session)
{
    const struct shard_record *record = &session->record;
    const struct shard *shard = &record->shard;

    fprintf(stderr, "lbsim: shard %" PRIu32 " of %" PRIu32 ": ", shard->number,
            shard->count);
    if (record->simulations_of_all > 0 || record->work.units == 0)
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " simulations",
                record->work.done, record->work.simulations);
    else
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " searches",
                shard_size(shard, record->work.units), record->work.units);
    fprintf(stderr,
            " are in %s; when all shards are whole: lbsim merge FOLDER... "
            "--output DIR\n",
            store_path(session->store));
}

int session_end_shard(struct session *session)
{
    const char *end = outcome_end_text(session->end);

    session->record.whole = !end;
    if (!store_put_shard(session->store, &session->record)) {
        command_complain("%s", store_error(session->store));
        return EXIT_FAILED;
    }
    if (!session->options->quiet)
        tell_shard(session);
    if (end)
        command_complain("%s: the shard is not whole; run again it goes on "
                         "where it was",
                         end);
    return session_end_status(session->end);
}
