# Writes scenarios/articles/normalise.csv: questions about inference, asked
# again and again in the spellings of many people. The same bytes from every
# awk: chance is a linear congruential generator of 31 bits (Park and Miller,
# "Random Number Generators: Good Ones Are Hard to Find", CACM 31(10), 1988),
# whose products a double holds exactly.
#
#     LC_ALL=C awk -f tests/e2e/normalise_trace.awk
function chance() {
    state = state * 16807 % 2147483647
    return state / 2147483647
}

# One line a question: tokens of the answer, the question, and other words for
# it, all separated by bars.
function ask(line) {
    questions++
    count[questions] = split(line, parts, "|") - 1
    output[questions] = parts[1]
    for (i = 1; i <= count[questions]; i++)
        text[questions, i] = parts[i + 1]
}

function capitals(words,    out, i, list, n) {
    n = split(words, list, " ")
    for (i = 1; i <= n; i++)
        out = out (i > 1 ? " " : "") toupper(substr(list[i], 1, 1)) substr(list[i], 2)
    return out
}

# As someone would type it.
function spell(words,    kind) {
    kind = int(chance() * 10)
    if (kind < 3) # as in a book
        return toupper(substr(words, 1, 1)) substr(words, 2) "?"
    if (kind < 5) # in a hurry
        return words
    if (kind == 5)
        return toupper(words) "??"
    if (kind == 6)
        return capitals(words) " ?"
    if (kind == 7) { # with blanks of a copied line
        gsub(/ /, "  ", words)
        return "  " words "?\n"
    }
    if (kind == 8) # other words, which no spelling rule unites
        return "Quick question, \"" words "\""
    return words "\xef\xbc\x9f" # a wide question mark
}

function quoted(words) {
    if (words !~ /[",\n]/)
        return words
    gsub(/"/, "\"\"", words)
    return "\"" words "\""
}

BEGIN {
    state = 20261129
    ask("180|what is tcp|\xe4\xbb\x80\xe4\xb9\x88\xe6\x98\xaftcp")
    ask("220|what is a load balancer|what is an LB|\xe4\xbb\x80\xe4\xb9\x88\xe6\x98\xaf\xe8\xb4\x9f\xe8\xbd\xbd\xe5\x9d\x87\xe8\xa1\xa1\xe5\x99\xa8")
    ask("260|how does consistent hashing work")
    ask("150|what is a kv cache|what is a key-value cache")
    ask("300|explain kubernetes health checks|explain k8s health checks")
    ask("120|what does p99 mean|what does 99th percentile mean")
    ask("240|round robin or least connections")
    ask("90|how many tokens are 3.5 kb of text")
    ask("90|how many tokens are 35 kb of text")
    ask("200|why is my gpu idle")
    ask("310|how do i write a retry loop in c++")
    ask("170|what's a circuit breaker|what is a circuit breaker")
    ask("140|who invented the caf\xc3\xa9 problem|who invented the cafe\xcc\x81 problem")
    ask("280|how do i size a result cache")
    ask("230|what is continuous batching")
    ask("190|when should i use two choices|when should i use power of two choices")
    ask("210|what is the difference between tcp and udp")
    ask("160|how long should a time-out be|how long should a timeout be")
    ask("250|how do i drain a node|how do i drain a server")
    ask("130|what is head-of-line blocking")

    print "# format: request-trace 1"
    print "# source: tests/e2e/normalise_trace.awk"
    print "arrival_s,input_tokens,output_tokens,prompt"
    for (row = 0; row < 600; row++) {
        clock += -log(chance()) / 3
        q = int(questions * chance() * chance()) + 1 # the first ones are liked
        words = text[q, int(count[q] * chance()) + 1]
        prompt = spell(words)
        printf "%.3f,%d,%d,%s\n", clock, 8 + length(words) / 3, output[q], quoted(prompt)
    }
}
