#!/usr/bin/env bash
# Containers get only the environment that is named.
export SECRET=hidden PASSED=yes
docker pull "$IMAGE"
docker run --rm --network=host --name server -v "$PWD:/workspace" -w /workspace/bench -e PASSED -e TP -e EXTRA="a b" \
  --entrypoint=/bin/bash "$IMAGE" worker.sh --role agg "$MODEL"
podman run --gpus all -e TP=$TP --env HOST="$(hostname)" "$IMAGE" vllm serve "$MODEL" --tp "$TP"
sbatch --parsable -N 2 --job-name "job-$TP" bench/worker.sh --role batch "$MODEL"
