#!/usr/bin/env bash
# scenarios/engines/slurm.sbatch as a job array of a real Slurm of one machine,
# with folders, keys and ports of its own: munged, slurmctld and slurmd are
# started here and stopped at the end.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shards.bash"
PATH=$PATH:/usr/sbin:/sbin
for needed in munged slurmctld slurmd sbatch sinfo; do
    if ! command -v $needed >/dev/null; then
        echo "SKIPPED: no $needed (Debian: slurm-wlm, munge)" >&2
        exit 77
    fi
done
if [[ $(id -u) -ne 0 ]]; then
    echo 'SKIPPED: slurmd wants to be root' >&2
    exit 77
fi

slurm=$work/slurm
host=$(hostname -s)
# Ports that are hardly anybody's, and another pair in another run.
port=$((20000 + $$ % 5000 * 2))
mkdir -p "$slurm/state" "$slurm/spool"
chmod 755 "$work"
head -c 1024 /dev/urandom >"$slurm/munge.key"
chmod 400 "$slurm/munge.key"
cat >"$slurm/slurm.conf" <<END
ClusterName=lbsim
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$slurm/slurm.conf

daemons=()
stop_slurm() {
    local i

    for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
        kill "${daemons[i]}" 2>/dev/null
        wait "${daemons[i]}" 2>/dev/null
    done
    chmod -R u+rwx "$work" 2>/dev/null
    rm -rf "$work"
}
trap stop_slurm EXIT

munged --foreground --force --key-file="$slurm/munge.key" \
    --socket="$slurm/munge.socket" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" \
    >"$slurm/munged.out" 2>&1 &
daemons+=($!)
for ((i = 0; i < 100; i++)); do
    [[ -S $slurm/munge.socket ]] && break
    sleep 0.1
done
slurmctld -D -f "$SLURM_CONF" >"$slurm/slurmctld.out" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" >"$slurm/slurmd.out" 2>&1 &
daemons+=($!)
for ((i = 0; i < 150; i++)); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && break
    sleep 0.2
done
if ! sinfo -h -o %T 2>/dev/null | grep -q idle; then
    echo 'SKIPPED: Slurm does not start here:' >&2
    tail -n 3 "$slurm/munged.out" "$slurm/slurmctld.log" "$slurm/slurmd.log" >&2
    exit 77
fi

little "$work/s.yaml" 20/s
script=$root/scenarios/engines/slurm.sbatch
words=(7 "$work" run "$work/s.yaml" --set replications=5)
export LBSIM=$program
cd "$work" || exit 1 # where Slurm leaves its logs

begin 'a job array of seven tasks is seven shards'
alone run "$work/s.yaml" --set replications=5
status=0
sbatch --wait --array=1-7 "$script" "${words[@]}" >"$work/out" 2>"$work/err" ||
    status=$?
[[ $status -eq 0 ]] || fail "sbatch: $status, $(cat "$work/err" lbsim-*.log)"
merged_equals 1 2 3 4 5 6 7
merged_equals 5 3 7 1 2 6 4

begin 'a lost task is named, and submitted again alone'
rm -r "$work/shard-6"
expect 3 merge "$work"/shard-* --output "$work/merged"
says 'shard 6 of 7 is missing: '
sbatch --wait --array=6 "$script" "${words[@]}" >"$work/out" 2>"$work/err" ||
    fail "sbatch: $(cat "$work/err" lbsim-*.log)"
merged_equals 7 6 5 4 3 2 1
finish
