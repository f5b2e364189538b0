# Two results of one seed: pairs, and the setting that differs. Paths are those
# of the folders, so these lie in one place.
folder=$(mktemp -d)
cp tests/golden/accidents.yaml "$folder" && cd "$folder"
for pause in 5 3; do
    lbsim run accidents.yaml --quiet --output "$pause" --set replications=6 \
        --set objective=success_ratio --set "faults[0].restart_after=$pause s" >run.out 2>&1
done
lbsim compare 5 3
rm -r "$folder"
