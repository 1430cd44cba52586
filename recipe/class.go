package recipe

import "strings"

// Class says how much a flag or variable matters.
type Class uint8

// The classes. Checked names are read by a sign-off check; Housekeeping names
// where a process runs and what it writes about itself, which nobody compares
// (spec/checks.md check 3, excluded); Ordinary is the rest.
const (
	Ordinary Class = iota
	Checked
	Housekeeping
)

// housekeeping lists the canonical names of flags that do not change what is
// served. A "*" at the end stands for any rest.
var housekeeping = words(`
	host port served-model-name api-key log-* disable-log-* enable-log-requests uvicorn-log-level access-log*
	enable-metrics metrics-* collect-tokens-histogram enable-request-time-stats-logging
	trace-* otlp-* seed random-seed download-dir watchdog-timeout health-* *-timeout
	dist-init-addr nnodes node-rank master-addr master-port master-ip nccl-port dump-config-to
	bootstrap-port disaggregation-bootstrap-port disaggregation-ib-device data-parallel-address data-parallel-rpc-port
	http-port http-host prometheus-port prometheus-host worker-urls prefill decode vllm-prefill vllm-decode
	dp-start-rank data-parallel-start-rank data-parallel-rank config headless
	result-dir result-filename save-result bench-serving-dir
`)

// machineVars are the variables of the job, not of what is served.
var machineVars = words(`
	AIPERF_* RESULT_* SLURM_* SLURMD_* HF_* TQDM_* GITHUB_* RUNNER_* GPU_COUNT MODAL_* SWEBENCH_* EVAL_* RUN_EVAL
	PATH HOME USER LOGNAME SHELL TERM HOSTNAME PWD OLDPWD SHLVL TMPDIR LANG LC_* IFS _ UID EUID PPID
	PORT *_PORT *_PORTS *_IFNAME UCX_NET_DEVICES *_NET_DEVICES IBDEVICES NCCL_IB_HCA NCCL_SOCKET_* GLOO_SOCKET_* NIC_*
	ENROOT_* XDG_* *_CACHE_DIR *_CACHE_PATH *_CACHE_ROOT *_CACHE_HOME *_CACHE CACHE_* PYTHONPYCACHEPREFIX PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED
	SALLOC_* SQUASH_* LOCK_FILE KEEP_LOGS *_LOG_DIR *_LOGS_DIR *_LOG_LEVEL LOG_* *_LOGGING_LEVEL *_LOG
	JOB_ID *_PID IPADDRS NNODES xP yD *WS_PATH PARTITION ACCOUNT *_MOUNT *_MOUNTS *_HOST_PATH MASTER_ADDR MASTER_PORT *_HOST *_IP *_ADDR *_ADDRESS *_ENDPOINTS NATS_SERVER
	NODE_RANK NODELIST* NODE0_* *_TIME_LIMIT TIME_LIMIT HOST_* WORLD_SIZE RANK LOCAL_RANK
	UV_* VIRTUAL_ENV PIP_* DOCKER_* CONTAINER_* SRT_* BENCHMARK_* BENCH_* PROFILER_* PROFILE *_PROFILER_DIR
`)

// checked are the flags that some check reads (spec/checks.md checks 3, 8, 9,
// 11, 13 and 18).
var checked = words(`
	model tensor-parallel-size data-parallel-size expert-parallel-size pipeline-parallel-size decode-context-parallel-size
	prefill-context-parallel-size data-parallel-size-local enable-expert-parallel enable-dp-attention enable-dp-lm-head
	quantization quantization-* online-quant-config kv-cache-dtype dtype
	attention-backend prefill-attention-backend decode-attention-backend moe-* *-moe-backend fp8-gemm-* fp4-gemm-* gemm-* *-gemm-backend
	all2all-backend deepep-* enable-flashinfer-* *-allreduce-* disable-custom-all-reduce *-all-reduce-*
	speculative-* spec-* num-speculative-tokens draft-* method with-mtp num-mtp
	disaggregation-mode disaggregation-transfer-backend kv-transfer-config connector kv-*
	hf-overrides json-model-override-args model-override-args override-* chat-template use-chat-template dsv4 tokenizer-mode
	publish-events-and-metrics compilation-config attention-config config-values
`)

// checkedVars are the variables that some check reads.
var checkedVars = words(`
	SGLANG_SIMULATE_ACC_* TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS TILERT_SIMULATE_* DYN_TRTLLM_PUBLISH_* PYTHONPATH
	SYNTHETIC_ACCEPTANCE* *_QUICK_REDUCE_* *ATTENTION_BACKEND *_MOE_* THINKING_MODE USE_CHAT_TEMPLATE
`)

// pattern matches names with a "*" at its beginning or end.
type pattern struct {
	text       string
	head, tail bool
}

func words(list string) []pattern {
	var out []pattern
	for _, w := range strings.Fields(list) {
		p := pattern{text: w}
		if p.head = strings.HasPrefix(w, "*"); p.head {
			p.text = p.text[1:]
		}
		if p.tail = strings.HasSuffix(p.text, "*"); p.tail {
			p.text = p.text[:len(p.text)-1]
		}
		out = append(out, p)
	}
	return out
}

func (p pattern) match(name string) bool {
	switch {
	case p.head && p.tail:
		return strings.Contains(name, p.text)
	case p.head:
		return strings.HasSuffix(name, p.text)
	case p.tail:
		return strings.HasPrefix(name, p.text)
	}
	return name == p.text
}

func matches(list []pattern, name string) bool {
	for _, p := range list {
		if p.match(name) {
			return true
		}
	}
	return false
}

// ClassOfFlag returns the class of a canonical flag name.
func ClassOfFlag(name string) Class { return class(checked, housekeeping, name) }

// ClassOfVar returns the class of a variable.
func ClassOfVar(name string) Class { return class(checkedVars, machineVars, name) }

func class(read, idle []pattern, name string) Class {
	switch {
	case matches(read, name):
		return Checked
	case matches(idle, name):
		return Housekeeping
	}
	return Ordinary
}
