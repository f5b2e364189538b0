/*
 * Scenarios that the rules of advice were not made for: written and fixed
 * before any of them was run, and after the rules had their bounds. They say
 * how good advice is on what it has not seen. A rule or a bound that is changed
 * because of one of them makes that one no longer fresh: say so beside it.
 *
 * Loads are rate x mean work / (nodes x slots x speed), by arithmetic.
 */
#ifndef TESTS_ADVICE_FRESH_H
#define TESTS_ADVICE_FRESH_H

#include "tests/advice_cases.h"

static const struct advice_case advice_fresh[] = {
    {"two nodes of one slot at 0.5",
     "lbsim: 1\n"
     "duration: 20 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2000\n"
     "workload: {arrivals: {process: poisson, rate: 2.5/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 2, engine: {slots: 1}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"sixteen nodes of one slot at 0.93",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2001\n"
     "workload: {arrivals: {process: poisson, rate: 37.2/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 16, engine: {slots: 1}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"long tail at 0.7, four slots",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2002\n"
     "workload: {arrivals: {process: poisson, rate: 54/s}, work: {dist: lognormal, median: 200 ms, sigma: 1.5}}\n"
     "nodes: [{group: n, count: 12, engine: {slots: 4}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"bounded Pareto at 0.6",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2003\n"
     "workload: {arrivals: {process: poisson, rate: 24/s}, work: {dist: bounded_pareto, shape: 1.5, mean: 400 ms, ratio: 1000}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"nearly constant, gamma of shape 20, at 0.85",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2004\n"
     "workload: {arrivals: {process: poisson, rate: 17/s}, work: {dist: gamma, shape: 20, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 1}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"shape 4 at 0.8, two slots",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2005\n"
     "workload: {arrivals: {process: poisson, rate: 32/s}, work: {dist: gamma, shape: 4, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"thirty-two slots at 0.6",
     "lbsim: 1\n"
     "duration: 3 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2006\n"
     "workload: {arrivals: {process: poisson, rate: 192/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 4, engine: {slots: 32}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"speeds 1.6 to 1, equal weights, at 0.65",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2007\n"
     "workload: {arrivals: {process: poisson, rate: 34/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: a, count: 4, engine: {slots: 2, speed: 1.6}}, {group: b, count: 4, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"three kinds, weighted, at 0.75",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2008\n"
     "workload: {arrivals: {process: poisson, rate: 52/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: a, count: 2, weight: 4, engine: {slots: 2, speed: 4}}, {group: b, count: 2, weight: 2, engine: {slots: 2, speed: 2}}, {group: c, count: 2, weight: 1, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"slots 8 and 2, equal weights, at 0.5",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2009\n"
     "workload: {arrivals: {process: poisson, rate: 50/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: a, count: 4, engine: {slots: 8}}, {group: b, count: 4, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"tokens, two kinds of cards at 0.65",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2010\n"
     "workload: {arrivals: {process: poisson, rate: 24/s}, input_tokens: {dist: lognormal, median: 500, sigma: 0.8}, output_tokens: {dist: lognormal, median: 110, sigma: 0.8}, noise: {dist: lognormal, sigma: 0.3}}\n"
     "nodes: [{group: a, count: 6, weight: 2, engine: {slots: 4, service: {base: 20 ms, per_input_token: 0.1 ms, per_output_token: 6 ms}}}, {group: b, count: 6, weight: 1, engine: {slots: 4, service: {base: 20 ms, per_input_token: 0.1 ms, per_output_token: 13 ms}}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"reports every 5 s, six nodes, at 0.8",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2011\n"
     "workload: {arrivals: {process: poisson, rate: 96/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 6, engine: {slots: 8}}]\n"
     "balancer: {report_interval: 5 s}\n"
     "policies: [round_robin]\n",
     "", ""},
    {"reports 1 s old, twenty nodes, at 0.6",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2012\n"
     "workload: {arrivals: {process: poisson, rate: 60/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 20, engine: {slots: 2}}]\n"
     "balancer: {report_interval: 1 s, report_delay: 500 ms}\n"
     "policies: [round_robin]\n",
     "", ""},
    {"reports every 10 s, speeds 3 to 1",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2013\n"
     "workload: {arrivals: {process: poisson, rate: 48/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: a, count: 4, weight: 3, engine: {slots: 4, speed: 1.5}}, {group: b, count: 4, weight: 1, engine: {slots: 4, speed: 0.5}}]\n"
     "balancer: {report_interval: 10 s}\n"
     "policies: [round_robin]\n",
     "", ""},
    {"a fifth repeats, caches of fifty, at 0.75",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2014\n"
     "workload: {arrivals: {process: poisson, rate: 45/s}, work: {dist: exponential, mean: 400 ms}, keys: {dist: zipf, exponent: 0.8, distinct: 2000, repeat_share: 20 %}}\n"
     "nodes: [{group: n, count: 6, engine: {slots: 4}, result_cache: {entries: 50, hit_time: 10 ms}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"45 % repeat, caches of 20,000, at 0.9",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2015\n"
     "workload: {arrivals: {process: poisson, rate: 54/s}, work: {dist: exponential, mean: 400 ms}, keys: {dist: zipf, exponent: 0.9, distinct: 20000, repeat_share: 45 %}}\n"
     "nodes: [{group: n, count: 6, engine: {slots: 4}, result_cache: {entries: 20000, hit_time: 20 ms}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"80 % repeat, and only hits keep the pool alive",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2016\n"
     "workload: {arrivals: {process: poisson, rate: 90/s}, work: {dist: exponential, mean: 400 ms}, keys: {dist: zipf, exponent: 1.0, distinct: 5000, repeat_share: 80 %}}\n"
     "nodes: [{group: n, count: 6, engine: {slots: 4}, result_cache: {entries: 1000, hit_time: 10 ms}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"one universe, exponent 1.3, caches of a hundred",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2017\n"
     "workload: {arrivals: {process: poisson, rate: 80/s}, work: {dist: exponential, mean: 400 ms}, keys: {dist: zipf, exponent: 1.3, distinct: 10000, repeat_share: 100 %}}\n"
     "nodes: [{group: n, count: 10, engine: {slots: 4}, result_cache: {entries: 100, hit_time: 10 ms}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"keys and nothing to hit, at 0.75",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2018\n"
     "workload: {arrivals: {process: poisson, rate: 45/s}, work: {dist: exponential, mean: 400 ms}, keys: {dist: zipf, exponent: 0.7, distinct: 1000, repeat_share: 60 %}}\n"
     "nodes: [{group: n, count: 6, engine: {slots: 4}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"thirty clients that think",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2019\n"
     "workload: {arrivals: {process: closed, clients: 30, think: {dist: exponential, mean: 1 s}}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 4, engine: {slots: 2}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"gaps of cv 3 at 0.6",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2020\n"
     "workload: {arrivals: {process: gamma, rate: 48/s, cv: 3}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"a day in ten minutes, 0.3 to 0.9",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2021\n"
     "workload: {arrivals: {process: diurnal, rate: 48/s, amplitude: 0.5, period: 10 min}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"four balancers at 0.85",
     "lbsim: 1\n"
     "duration: 10 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2022\n"
     "workload: {arrivals: {process: poisson, rate: 34/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 2}}]\n"
     "balancer: {count: 4}\n"
     "policies: [round_robin]\n",
     "", ""},
    {"a crash that refuses, checks and retries",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2023\n"
     "workload: {arrivals: {process: poisson, rate: 40/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "balancer: {timeout: {total: 15 s}, health: {}, retry: {attempts: 2}}\n"
     "faults: [{target: 'n[2]', at: 60 s, kind: crash, restart_after: 60 s}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"a node is silent, retries, no checks",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2024\n"
     "workload: {arrivals: {process: poisson, rate: 40/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "balancer: {timeout: {total: 15 s}, retry: {attempts: 2}}\n"
     "faults: [{target: 'n[2]', at: 60 s, kind: host_down, restart_after: 60 s, seen_as: silent}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"a hung node and retries",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2025\n"
     "workload: {arrivals: {process: poisson, rate: 40/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "balancer: {timeout: {total: 15 s}, retry: {attempts: 2}}\n"
     "faults: [{target: 'n[2]', at: 60 s, kind: hang, for: 60 s}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"half of a node's answers fail at once",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2026\n"
     "workload: {arrivals: {process: poisson, rate: 40/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "balancer: {timeout: {total: 15 s}}\n"
     "faults: [{target: 'n[2]', at: 60 s, kind: fail_fast, share: 50 %, for: 90 s}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"2.5 times as slow at 0.4",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2027\n"
     "workload: {arrivals: {process: poisson, rate: 32/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
     "balancer: {timeout: {total: 15 s}}\n"
     "faults: [{target: 'n[2]', at: 60 s, kind: slow, factor: 2.5, for: 150 s}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"processor sharing at 0.8",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2028\n"
     "workload: {arrivals: {process: poisson, rate: 64/s}, work: {dist: exponential, mean: 400 ms}}\n"
     "nodes: [{group: n, count: 8, engine: {kind: sharing, limit: 16, speed: 4}}]\n"
     "policies: [round_robin]\n",
     "", ""},
    {"classes of two lengths and no table",
     "lbsim: 1\n"
     "duration: 5 min\n"
     "warm_up: 30 s\n"
     "replications: 8\n"
     "seed: 2029\n"
     "workload: {arrivals: {process: poisson, rate: 40/s}, classes: [{name: chat, share: 30 %, work: {dist: exponential, mean: 1 s}}, {name: light, share: 70 %, work: {dist: exponential, mean: 100 ms}}]}\n"
     "nodes: [{group: n, count: 8, engine: {slots: 3}}]\n"
     "policies: [round_robin]\n",
     "", ""},
};

#define ADVICE_FRESH (sizeof advice_fresh / sizeof *advice_fresh)

#endif
