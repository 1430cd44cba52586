#!/usr/bin/env bash
cd "$(dirname "$0")" || exit 1
NAME=${MODEL##*/}; NAME=${NAME,,}; NAME=${NAME//./-}
export WORKER_TAG="tag-${NAME%%-*}"
timeout -k 5 60s numactl --cpunodebind=0 -m 0 env A=1 B="$TP" bash worker.sh --role prefill "$MODEL" > prefill.log &
setsid ./worker.sh --role decode "$MODEL" 2>&1 | tee decode.log &
ROUTER="python3 -m sglang_router.launch_router --policy rr"
for i in 1 2; do ROUTER+=" --worker http://w$i:$((8000 + i))"; done
eval "$ROUTER --note 'single words' $(date +%s) --last" &
bash -c "exec vllm serve $MODEL --port \$1" serve 9000 &
srun --nodes=1 -w node1 --container-image "$IMAGE" bash -lc 'nohup vllm serve inner --tp "$TP"'
diff <(sort a.txt) <(sort b.txt) | while read -r side line; do echo "$side"; done
while getopts "m:q" opt -m value -q; do case $opt in m) M=$OPTARG ;; q) Q=1 ;; esac; done
exec vllm bench serve --model "$MODEL" --mode "$M" --quiet "$Q"
echo never reached
