#!/usr/bin/env bash
# Decisions on what only the machine knows.
set -e
trap 'kill $(jobs -p)' EXIT
if ! nvidia-smi > /dev/null; then
  echo "no GPU" >&2
  exit 1
fi
rocm-smi || { echo "no driver"; exit 1; }
VENDOR=nvidia
if command -v amd-smi > /dev/null; then VENDOR=amd; export GPU_KIND=amd; fi
case "$(uname -m)" in
  x86_64) ARCH=amd64 ;;
  aarch64) ARCH=arm64 ;;
  *) exit 3 ;;
esac
FLAGS=(--base)
if [[ -d /dev/infiniband ]]; then FLAGS+=(--rdma "$ARCH"); fi
FLAGS+=(--end)
tries=0
until curl -sf http://registry/ready; do
  tries=$((tries + 1))
  if ((tries > 10)); then break; fi
  sleep 1
done
for dir in /data/models /scratch/models; do
  if [[ -d "$dir/$MODEL" ]]; then
    FOUND="$dir/$MODEL"
    break
  fi
done
pick() { if probe "$1"; then echo "first"; return 0; fi; echo "second"; return 1; }
CHOICE=$(pick x || true)
if [[ -z "${FOUND:-}" ]]; then
  hf download "$MODEL"
fi
THREADS=$(nproc)
NODE=$(hostname -s)
if [ "$VENDOR" = amd ]; then
  vllm serve "${FOUND:-$MODEL}" --backend aiter --kind "$VENDOR" "${FLAGS[@]}"
else
  vllm serve "${FOUND:-$MODEL}" --backend flash --kind "$VENDOR" "${FLAGS[@]}"
fi
python3 -m sglang.launch_server --choice "$CHOICE" --threads "$THREADS" --double $((THREADS * 2)) --arch "$ARCH" --node "$NODE-0" --tries "$tries" $UNSET_OPTS
source /opt/venv/bin/activate
source "$TOOLS_DIR/setup.sh"
[[ "$ARCH" == mips ]] && vllm serve impossible
