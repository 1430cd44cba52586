#!/usr/bin/env bash
. "${0%/*}/lib.sh"
CONFIG=/tmp/engine.yaml
cat > "$CONFIG" <<YAML
tensor_parallel_size: $TP
cuda_graph_config:
  max_batch_size: $CONC
kv_cache_config:
  dtype: fp8
YAML
if [[ "$DP" == "true" ]]; then
  cat >> "$CONFIG" <<-YAML
	enable_attention_dp: true
	YAML
fi
sed -i 's/dtype: fp8/dtype: auto/' "$CONFIG"
grep -q enable_attention_dp "$CONFIG" && MODE=dp || MODE=tp
python3 - "$CONFIG" <<'PY'
import sys
print(open(sys.argv[1]).read())
PY
tokens=$(python3 -c "print(($ISL + $OSL) * 2)")
IFS=, read -ra HOSTS <<< "${NODES:-a,b}"
mpirun -n 1 --oversubscribe -x MODE="$MODE" trtllm-serve serve "$MODEL" --max_num_tokens "$tokens" \
  --host "${HOSTS[0]}" --config "$CONFIG" &
