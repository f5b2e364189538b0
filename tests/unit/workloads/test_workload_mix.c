/* Several sources as one, and closed loops, as the simulation plays them. */
#include "tests/unit/workloads/workload_world.h"

enum { ROOM = 20000 };

struct played {
    struct workload_request requests[ROOM];
    struct workload_origin origins[ROOM];
    size_t count;
};

static struct played all, alone;

/* Clients have their answers after `answer_ns`, in order of asking. */
static void play(const struct workload_spec *spec, int64_t duration_ns,
                 int64_t answer_ns, struct played *ret)
{
    struct workload *workload = workload_create(spec, duration_ns, 42, 3);
    struct workload_request *next = ret->requests;
    size_t answered = 0;

    ret->count = 0;
    for (;;) {
        bool any = workload_next(workload, next);
        int64_t due_ns = answered < ret->count
                             ? ret->requests[answered].at_ns + answer_ns
                             : INT64_MAX;

        if (!any && due_ns == INT64_MAX)
            break;
        if (!any || due_ns <= next->at_ns) {
            workload_release(workload, &ret->origins[answered], due_ns);
            answered++;
            continue;
        }
        CHECK(workload_take(workload, &ret->origins[ret->count]));
        CHECK_UINT(next->number, ret->count);
        next = &ret->requests[++ret->count];
        if (ret->count == ROOM - 1)
            break;
    }
    CHECK(workload_is_over(workload));
    CHECK(!workload_failed(workload));
    CHECK_UINT(workload_books(workload)->requests, ret->count);
    workload_destroy(workload);
}

static bool same_but_number(const struct workload_request *a,
                            const struct workload_request *b)
{
    struct workload_request copy = *a;

    copy.number = b->number;
    return same(&copy, b);
}

/* What is drawn for the main workload stays, with overlays and without, and an
   overlay's traffic stays when another is put before it by time. */
static void overlays_leave_the_main_traffic_alone(void)
{
    struct workload_spec spec = everything();
    struct workload_overlay overlays[] = {
        {"a", 5LL * SECOND, 20LL * SECOND, everything()},
        {"b", 0, INT64_MAX, everything()}};
    size_t count, main_seen = 0, of_a = 0;
    struct workload_request *plain = requests_of(&spec, 42, 3, &count);

    spec.overlays = overlays;
    spec.overlay_count = 2;
    play(&spec, 60LL * SECOND, 0, &all);
    spec.overlay_count = 1;
    play(&spec, 60LL * SECOND, 0, &alone);
    for (size_t i = 0; i < all.count; i++) {
        const struct workload_origin *origin = &all.origins[i];
        const struct workload_request *request = &all.requests[i];

        CHECK(i == 0 || request->at_ns >= all.requests[i - 1].at_ns);
        if (origin->source == 0) {
            CHECK_UINT(origin->number, main_seen);
            CHECK(same_but_number(&plain[main_seen], request));
            main_seen++;
        } else if (origin->source == 1) {
            CHECK(request->at_ns >= 5LL * SECOND &&
                  request->at_ns < 25LL * SECOND);
            while (alone.origins[of_a].source != 1)
                of_a++;
            CHECK(same_but_number(&alone.requests[of_a++], request));
        }
    }
    CHECK_UINT(main_seen, count);
    free(plain);
}

/* Streams of its own: an overlay like the main one brings other requests, and
   other questions. */
static void sources_share_no_chance(void)
{
    struct workload_spec spec = everything();
    struct workload_overlay overlay = {"twin", 0, INT64_MAX, everything()};
    uint64_t twins = 0, of_overlay = 0;

    spec.overlays = &overlay;
    spec.overlay_count = 1;
    play(&spec, 30LL * SECOND, 0, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (all.origins[i].source == 0) {
            CHECK(all.requests[i].key < (uint64_t)1 << 48);
            continue;
        }
        of_overlay++;
        CHECK(all.requests[i].key >> 48 == 1);
        twins += i > 0 && all.requests[i].at_ns == all.requests[i - 1].at_ns;
    }
    CHECK(of_overlay > 1500); /* 60 a second */
    CHECK_UINT(twins, 0);
}

/* Equal gaps of a second, three times: at each one the main workload, then the
   overlays as listed. */
static void ties_go_by_place_in_the_list(void)
{
    struct workload_spec each = {
        .arrivals = {.process = ARRIVALS_DETERMINISTIC, .rate_per_s = 1},
        .work = constant(1)};
    struct workload_overlay overlays[] = {{"a", 0, INT64_MAX, each},
                                          {"b", 0, INT64_MAX, each}};
    struct workload_spec spec = each;

    spec.overlays = overlays;
    spec.overlay_count = 2;
    play(&spec, 10LL * SECOND, 0, &all);
    CHECK_UINT(all.count, 27);
    for (size_t i = 0; i < all.count; i++) {
        CHECK_UINT(all.origins[i].source, i % 3);
        CHECK_INT(all.requests[i].at_ns, (int64_t)(1 + i / 3) * SECOND);
    }
}

/* Beyond the run, or for no time, nothing comes. */
static void overlay_behind_the_end_brings_nothing(void)
{
    struct workload_spec spec = everything();
    struct workload_overlay overlay = {"late", 90LL * SECOND, INT64_MAX,
                                       everything()};

    spec.overlays = &overlay;
    spec.overlay_count = 1;
    play(&spec, 60LL * SECOND, 0, &all);
    for (size_t i = 0; i < all.count; i++)
        CHECK_UINT(all.origins[i].source, 0);
}

/* Noise of later attempts goes by the source and its own number. */
static void attempts_go_by_the_source(void)
{
    struct workload_spec spec = everything();
    struct workload_overlay overlay;
    struct workload *plain, *mixed;
    double main_noise, other_noise;

    spec.noise_per = WORKLOAD_NOISE_ATTEMPT;
    overlay = (struct workload_overlay){"a", 0, INT64_MAX, spec};
    plain = workload_create(&spec, SECOND, 42, 1);
    spec.overlays = &overlay;
    spec.overlay_count = 1;
    mixed = workload_create(&spec, SECOND, 42, 1);
    main_noise = workload_attempt_noise(workload_source(mixed, 0), 5, 0, 1, 2);
    other_noise = workload_attempt_noise(workload_source(mixed, 1), 5, 0, 1, 2);
    CHECK(workload_draws_each_attempt(workload_source(mixed, 1)));
    CHECK_NEAR(main_noise, workload_attempt_noise(plain, 5, 0, 1, 2), 0);
    CHECK(main_noise != other_noise);
    workload_destroy(plain);
    workload_destroy(mixed);
}

/* Means of 3 requests a second for 60 s with work of 1 s, and of 6 a second for
   20 s with work of 4 s: 5 a second, work 2.2 s. */
static void means_are_of_all_sources(void)
{
    struct workload_spec spec = poisson(3);
    struct workload_overlay overlay = {"a", 40LL * SECOND, INT64_MAX,
                                       poisson(6)};
    struct workload_means means;

    spec.work = constant(1);
    overlay.spec.work = constant(4);
    spec.overlays = &overlay;
    spec.overlay_count = 1;
    workload_spec_means(&spec, 60LL * SECOND, &means);
    CHECK_NEAR(means.rate_per_s, 5, 1e-12);
    CHECK_NEAR(means.peak_per_s, 9, 1e-12);
    CHECK_NEAR(means.work_s, 2.2, 1e-12);
    CHECK_NEAR(means.noise, 1, 1e-12);
    CHECK(workload_all_have_law(&spec, LAW_WORK));
    overlay.spec.work.kind = DIST_NONE;
    CHECK(!workload_all_have_law(&spec, LAW_WORK));
    workload_spec_means(&spec, 30LL * SECOND, &means);
    CHECK_NEAR(means.rate_per_s, 3, 1e-12);
}

/* --- closed loops -------------------------------------------------------- */

static struct workload_spec closed(uint32_t clients)
{
    struct workload_spec spec = everything();

    spec.arrivals = (struct arrivals_spec){
        .process = ARRIVALS_CLOSED,
        .clients = clients,
        .think = dist_of(DIST_EXPONENTIAL, 2, NAN),
    };
    return spec;
}

/* Answers fast or slow: a client's k-th request is the same, need by need; the
   times are not. */
static void clients_ask_the_same_whatever_answers_take(void)
{
    enum { CLIENTS = 20, TURNS = 8 };
    static struct workload_request first[CLIENTS * TURNS];
    struct workload_spec spec = closed(CLIENTS);
    size_t compared = 0;

    play(&spec, 60LL * SECOND, SECOND / 10, &all);
    play(&spec, 60LL * SECOND, 5LL * SECOND, &alone);
    CHECK(all.count > alone.count);
    for (size_t i = 0; i < all.count; i++)
        if (all.origins[i].number < CLIENTS * TURNS)
            first[all.origins[i].number] = all.requests[i];
    for (size_t i = 0; i < alone.count; i++) {
        struct workload_request request = alone.requests[i];
        uint64_t number = alone.origins[i].number;

        CHECK_UINT(number % CLIENTS, alone.origins[i].client);
        if (number >= CLIENTS * TURNS || first[number].noise == 0)
            continue;
        request.at_ns = first[number].at_ns;
        CHECK(same_but_number(&request, &first[number]));
        compared++;
    }
    CHECK(compared > 100);
}

/* A loop over other traffic: no request of the open part moves. */
static void loops_and_open_traffic_mix(void)
{
    struct workload_spec spec = everything();
    struct workload_overlay overlay = {"loop", 10LL * SECOND, INT64_MAX,
                                       closed(5)};
    size_t count, main_seen = 0, of_loop = 0;
    struct workload_request *plain = requests_of(&spec, 42, 3, &count);

    spec.overlays = &overlay;
    spec.overlay_count = 1;
    play(&spec, 60LL * SECOND, SECOND, &all);
    for (size_t i = 0; i < all.count; i++) {
        CHECK(i == 0 || all.requests[i].at_ns >= all.requests[i - 1].at_ns);
        if (all.origins[i].source == 0)
            CHECK(same_but_number(&plain[main_seen++], &all.requests[i]));
        else
            of_loop++;
    }
    CHECK_UINT(main_seen, count);
    CHECK(of_loop > 40 && of_loop < 150); /* 5 clients, 50 s, 3 s a turn: 83 */
    free(plain);
}

int main(int argc, char **argv)
{
    CU_TestInfo overlays[] = {
        {"overlays leave the main traffic alone",
         overlays_leave_the_main_traffic_alone},
        {"sources share no chance", sources_share_no_chance},
        {"ties go by place in the list", ties_go_by_place_in_the_list},
        {"overlay behind the end brings nothing",
         overlay_behind_the_end_brings_nothing},
        {"attempts go by the source", attempts_go_by_the_source},
        {"means are of all sources", means_are_of_all_sources},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo loops[] = {
        {"clients ask the same whatever answers take",
         clients_ask_the_same_whatever_answers_take},
        {"loops and open traffic mix", loops_and_open_traffic_mix},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("workload_overlays", NULL, NULL, NULL, NULL, overlays),
        SUITE("workload_loops", NULL, NULL, NULL, NULL, loops),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
