#include "workloads/clients.h"

#include "tests/check.h"

#define SECOND INT64_C(1000000000)

static struct dist dist_of(enum dist_kind kind, double seconds)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;

    params.kind = kind;
    if (kind == DIST_CONSTANT)
        params.value = seconds;
    else if (kind != DIST_NONE)
        params.mean = seconds;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static struct clients *make(uint32_t count, const struct dist *think)
{
    struct clients_spec spec = {
        .count = count, .think = think, .seed = 7, .replication = 1};

    return clients_create(&spec);
}

static struct clients_turn take(struct clients *clients)
{
    struct clients_turn turn = {0};

    CHECK(clients_first(clients, &turn));
    clients_take_first(clients);
    return turn;
}

/* Three clients that think for 2 s: by hand. */
static void clients_ask_in_turn(void)
{
    struct dist think = dist_of(DIST_CONSTANT, 2);
    struct clients *clients = make(3, &think);
    struct clients_turn turn;

    for (uint32_t i = 0; i < 3; i++) {
        turn = take(clients);
        CHECK_INT(turn.at_ns, 2 * SECOND);
        CHECK_UINT(turn.client, i);
        CHECK_UINT(turn.number, i);
    }
    CHECK(!clients_first(clients, &turn));
    CHECK_UINT(clients_waiting(clients), 3);
    clients_release(clients, 1, 2 * SECOND, 5 * SECOND);
    clients_release(clients, 2, 2 * SECOND, 4 * SECOND);
    CHECK_UINT(clients_waiting(clients), 1);
    turn = take(clients);
    CHECK_INT(turn.at_ns, 6 * SECOND);
    CHECK_UINT(turn.client, 2);
    CHECK_UINT(turn.number, 5);
    turn = take(clients);
    CHECK_INT(turn.at_ns, 7 * SECOND);
    CHECK_UINT(turn.number, 4);
    clients_destroy(clients);
}

/* Whoever asks next, a client's k-th pause is its k-th pause. */
static void thinking_goes_by_client_and_turn(void)
{
    enum { CLIENTS = 50, TURNS = 40 };
    struct dist think = dist_of(DIST_EXPONENTIAL, 1);
    struct clients *a = make(CLIENTS, &think), *b = make(CLIENTS, &think);
    static int64_t pauses[CLIENTS][TURNS];
    static int64_t since_a[CLIENTS], since_b[CLIENTS];
    static int turns[CLIENTS];

    for (int i = 0; i < CLIENTS * TURNS; i++) { /* answers take 10 ms */
        struct clients_turn turn = take(a);
        uint64_t k = turn.number / CLIENTS;

        CHECK_UINT(turn.number % CLIENTS, turn.client);
        if (k < TURNS)
            pauses[turn.client][k] = turn.at_ns - since_a[turn.client];
        since_a[turn.client] = turn.at_ns + SECOND / 100;
        clients_release(a, turn.client, turn.at_ns, since_a[turn.client]);
    }
    for (int i = 0; i < CLIENTS * 10; i++) { /* of odd clients a minute */
        struct clients_turn turn = take(b);
        int k = turns[turn.client]++;

        if (k < TURNS && pauses[turn.client][k] > 0)
            CHECK_INT(turn.at_ns - since_b[turn.client],
                      pauses[turn.client][k]);
        since_b[turn.client] =
            turn.at_ns + (turn.client % 2 ? 60 * SECOND : SECOND);
        clients_release(b, turn.client, turn.at_ns, since_b[turn.client]);
    }
    clients_destroy(a);
    clients_destroy(b);
}

/* Refused at once, or answered at once, and no time to think. */
static void nobody_asks_for_ever_at_one_instant(void)
{
    struct dist none = dist_of(DIST_NONE, 0);
    struct clients *clients = make(1, &none);
    struct clients_turn turn = take(clients);

    CHECK_INT(turn.at_ns, 0);
    clients_release(clients, 0, 0, 0);
    turn = take(clients);
    CHECK_INT(turn.at_ns, CLIENTS_PAUSE_NS);
    clients_release(clients, 0, CLIENTS_PAUSE_NS, CLIENTS_PAUSE_NS + 5);
    turn = take(clients);
    CHECK_INT(turn.at_ns, CLIENTS_PAUSE_NS + 5);
    clients_destroy(clients);
}

/* Many clients, in random order of asking: times never go back. */
static void time_never_goes_back(void)
{
    struct dist think = dist_of(DIST_EXPONENTIAL, 3);
    struct clients *clients = make(1000, &think);
    int64_t before_ns = 0;

    for (int i = 0; i < 100000; i++) {
        struct clients_turn turn = take(clients);

        CHECK(turn.at_ns >= before_ns);
        before_ns = turn.at_ns;
        clients_release(clients, turn.client, turn.at_ns, turn.at_ns + 1);
    }
    clients_destroy(clients);
}

int main(int argc, char **argv)
{
    CU_TestInfo clients[] = {
        {"clients ask in turn", clients_ask_in_turn},
        {"thinking goes by client and turn", thinking_goes_by_client_and_turn},
        {"nobody asks for ever at one instant",
         nobody_asks_for_ever_at_one_instant},
        {"time never goes back", time_never_goes_back},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("clients", NULL, NULL, NULL, NULL, clients),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
