#!/usr/bin/env bash
# scenarios/engines/kubernetes.yaml: what the manifest says is read by another
# program, and its containers' commands are run by a shell as the pods would.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shards.bash"
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo 'SKIPPED: no python3 with yaml to read the manifest' >&2
    exit 77
fi
little "$work/scenario.yaml" 20/s

# Checks what an Indexed Job has to have, and leaves $work/NAME.cmd, one word a
# line, and $work/NAME.env for the container of each Job.
begin 'the manifest is one of an Indexed Job'
python3 - scenarios/engines/kubernetes.yaml "$work" <<'END' || fail 'see above'
import sys, yaml
documents = list(yaml.safe_load_all(open(sys.argv[1])))
assert [d["kind"] for d in documents] == ["PersistentVolumeClaim", "Job", "Job"]
claim = documents[0]["metadata"]["name"]
for job in documents[1:]:
    assert job["apiVersion"] == "batch/v1"
    pod = job["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    (container,) = pod["containers"]
    volumes = {v["name"]: v for v in pod["volumes"]}
    assert volumes["results"]["persistentVolumeClaim"]["claimName"] == claim
    assert {m["name"] for m in container["volumeMounts"]} == set(volumes)
    name = sys.argv[2] + "/" + container["name"]
    with open(name + ".cmd", "w") as out:
        out.write("\n".join(container["command"] + container["args"]) + "\n")
    with open(name + ".env", "w") as out:
        for variable in container["env"]:
            assert isinstance(variable["value"], str)
            out.write(variable["name"] + "=" + variable["value"] + "\n")
job = documents[1]["spec"]
assert job["completionMode"] == "Indexed"
env = {v["name"]: v["value"] for v in job["template"]["spec"]["containers"][0]["env"]}
assert int(env["SHARDS"]) == job["completions"] == 7
rule = job["podFailurePolicy"]["rules"][0]
assert rule["onExitCodes"]["containerName"] == "shard"
END

# pod NAME VARIABLE...: its command, with the manifest's variables and these.
pod() {
    local name=$1 words variables

    shift
    mapfile -t words <"$work/$name.cmd"
    mapfile -t variables <"$work/$name.env"
    status=0
    env -i PATH="$work/bin:/usr/bin:/bin" "${variables[@]}" "$@" "${words[@]}" \
        >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ $status -eq 0 ]] || fail "$name $*: $status, $(cat "$work/err")"
}

begin 'pods with indices from 0 to 6 are shards 1 to 7'
mkdir "$work/bin" "$work/results"
ln -s "$program" "$work/bin/lbsim"
alone run "$work/scenario.yaml"
for index in 6 2 0 4 1 5 3; do
    pod shard SCENARIO="$work/scenario.yaml" RESULTS="$work/results" \
        JOB_COMPLETION_INDEX=$index
    no_output
    [[ -s $work/results/shard-$((index + 1))/runs.sqlite ]] ||
        fail "index $index leaves no shard $((index + 1))"
done
pod merge RESULTS="$work/results"
cmp "$work/alone" "$work/out" || fail 'prints something else'
diff -r -x speed.json -x runs.sqlite "$work/single" "$work/results/merged" ||
    fail 'another result'
finish
