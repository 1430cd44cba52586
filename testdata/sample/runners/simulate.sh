#!/bin/sh
# Writes into the working directory what a measured point leaves there, from
# nothing but the environment of the point. The numbers follow one simple model
# of a server, so that curves look like curves:
#
#   time per token grows with the requests that share the GPUs,
#   time to first token grows with the prompt and with the queue,
#   throughput = requests in flight * tokens per request / time per request.
#
# The same environment always gives the same numbers.
#
# SAMPLE_FAIL, if set, is a part of a result name: such a point fails.
# SAMPLE_SLEEP is how long a point takes, in seconds.
set -eu

echo "point $RESULT_FILENAME"
if [ -n "${SAMPLE_FAIL:-}" ]; then
  case $RESULT_FILENAME in
  *"$SAMPLE_FAIL"*)
    echo "out of memory (SAMPLE_FAIL=$SAMPLE_FAIL)" >&2
    exit 1
    ;;
  esac
fi
sleep "${SAMPLE_SLEEP:-0.05}" 2>/dev/null || :

# compute MODE CONCURRENCY prints one JSON document.
compute() {
  MODE=$1 C=$2 awk '
    function env(name) { return ENVIRON[name] }
    function str(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
    function member(name, value) { out = out (out == "" ? "" : ",") str(name) ":" value }
    function textual(name, variable) { member(name, str(env(variable))) }
    function num(x) { return sprintf("%.6g", x) }

    # The GPUs that work on prompts and on answers.
    function gpus() {
      if (env("IS_MULTINODE") == "true") {
        p = env("PREFILL_NUM_WORKERS") * env("PREFILL_TP") * env("PREFILL_PP_SIZE") * env("PREFILL_PCP_SIZE")
        d = env("DECODE_NUM_WORKERS") * env("DECODE_TP") * env("DECODE_PP_SIZE") * env("DECODE_PCP_SIZE")
        all = p + d
      } else {
        all = p = d = env("TP") * env("PP_SIZE") * env("PCP_SIZE")
      }
      if (d == 0) d = p
    }

    # ttft, tpot and e2el in milliseconds, for prompts of isl tokens of which
    # the share hit is cached, and answers of osl tokens. Memory holds as many
    # requests without slowing them as half says.
    function serve(isl, osl, hit, half) {
      weight = (env("MODEL_PREFIX") == "basalt" ? 6 : 1) * (env("PRECISION") == "fp4" ? 0.6 : 1)
      tpot = env("SIM_TOKEN_MS") * weight / d ^ 0.8 * (1 + c / (half * d))
      if (env("SPEC_DECODING") != "none") tpot *= 0.62
      ttft = env("SIM_PREFILL_MS") * weight * isl * (1 - hit) / 1024 / p ^ 0.9 * (1 + c / (8 * p))
      e2el = ttft + tpot * osl
      total = c * (isl + osl) / e2el * 1000
      output = c * osl / e2el * 1000
    }

    # The statistics of a latency: raw results have a line for each, in ms.
    function raw(name, ms) {
      member("mean_" name "_ms", num(ms * 1.04)); member("median_" name "_ms", num(ms)); member("std_" name "_ms", num(ms * 0.2))
      member("p90_" name "_ms", num(ms * 1.35)); member("p99_" name "_ms", num(ms * 1.8)); member("p99.9_" name "_ms", num(ms * 2.1))
    }
    function seconds(ms) {
      return "{\"mean\":" num(ms * 1.04 / 1000) ",\"p50\":" num(ms / 1000) ",\"p75\":" num(ms * 1.2 / 1000) \
        ",\"p90\":" num(ms * 1.35 / 1000) ",\"p95\":" num(ms * 1.5 / 1000) ",\"std\":" num(ms * 0.2 / 1000) "}"
    }
    function rate(x) { return "{\"mean\":" num(x / 1.04) ",\"p50\":" num(x) ",\"p75\":" num(x / 1.2) ",\"p90\":" num(x / 1.35) ",\"p95\":" num(x / 1.5) ",\"std\":" num(x * 0.2) "}" }

    function fixed() {
      serve(env("ISL"), env("OSL"), 0, env("SIM_HALF"))
      member("backend", str("simulated")); textual("model_id", "MODEL")
      member("max_concurrency", c); member("num_prompts", 10 * c); member("completed", 10 * c)
      member("duration", num(10 * e2el / 1000))
      member("total_token_throughput", num(total)); member("output_throughput", num(output))
      raw("ttft", ttft); raw("tpot", tpot); raw("itl", tpot); raw("e2el", e2el)
    }

    function side(name, prefix) {
      member(name "_tp", env(prefix "_TP")); member(name "_pp", env(prefix "_PP_SIZE"))
      member(name "_dcp_size", env(prefix "_DCP_SIZE")); member(name "_pcp_size", env(prefix "_PCP_SIZE"))
      member(name "_ep", env(prefix "_EP")); member(name "_num_workers", env(prefix "_NUM_WORKERS"))
    }

    # What rows and eval metadata say alike.
    function common() {
      textual("hw", "RUNNER_TYPE"); textual("infmax_model_prefix", "MODEL_PREFIX"); textual("model", "MODEL")
      textual("framework", "FRAMEWORK"); textual("precision", "PRECISION"); textual("spec_decoding", "SPEC_DECODING")
      textual("recipe_fingerprint", "RECIPE_FINGERPRINT"); textual("image", "IMAGE")
      member("disagg", env("DISAGG")); member("is_multinode", env("IS_MULTINODE")); member("conc", c)
    }

    function agentic(  hit, n) {
      hit = env("KV_OFFLOADING") == "dram" ? 0.91 : 0.82
      serve(48000, 900, hit, env("SIM_HALF") / 10)
      n = 40 * c
      common()
      textual("scenario_type", "SCENARIO_TYPE"); member("num_gpus", all)
      if (env("IS_MULTINODE") == "true") {
        side("prefill", "PREFILL"); side("decode", "DECODE")
        textual("prefill_dp_attention", "PREFILL_DP_ATTN"); textual("decode_dp_attention", "DECODE_DP_ATTN")
        member("num_prefill_gpu", p); member("num_decode_gpu", all - p)
        member("tp", env("PREFILL_TP") + env("DECODE_TP"))
        member("ep", env("PREFILL_EP") > env("DECODE_EP") ? env("PREFILL_EP") : env("DECODE_EP"))
        member("dp_attention", str(env("PREFILL_DP_ATTN") == "true" || env("DECODE_DP_ATTN") == "true" ? "true" : "false"))
      } else {
        member("tp", env("TP")); member("pp", env("PP_SIZE")); member("dcp_size", env("DCP_SIZE"))
        member("pcp_size", env("PCP_SIZE")); member("ep", env("EP_SIZE")); textual("dp_attention", "DP_ATTENTION")
      }
      textual("kv_offloading", "KV_OFFLOADING")
      member("kv_offload_backend", env("KV_OFFLOAD_BACKEND_METADATA") == "" ? "null" : env("KV_OFFLOAD_BACKEND_METADATA"))
      member("allocated_cpu_dram_gb", env("TOTAL_CPU_DRAM_GB"))
      member("num_requests_total", n + c + 1); member("num_requests_successful", n)
      member("request_accounting", "{\"records_total\":" (n + c + 1) ",\"records_profiled\":" n ",\"records_dropped_total\":" (c + 1) \
        ",\"records_warmup_dropped\":" c ",\"records_error_dropped\":1,\"error_categories\":{\"TimeoutError\":1}}")
      member("request_metrics", "{\"latency\":{\"ttft\":" seconds(ttft) ",\"e2el\":" seconds(e2el) ",\"itl\":" seconds(tpot) ",\"tpot\":" seconds(tpot) \
        ",\"intvty\":" rate(1000 / tpot) ",\"e2e_norm_intvty\":" rate(400 * 1000 / e2el) "}" \
        ",\"throughput\":{\"total\":{\"tokens_per_second\":" num(total) "},\"output\":{\"tokens_per_second\":" num(output) \
        "},\"input\":{\"tokens_per_second\":" num(total - output) "},\"per_gpu\":{\"total_tput_tps\":" num(total / all) \
        ",\"output_tput_tps\":" num(output / all) ",\"input_tput_tps\":" num((total - output) / all) "}}" \
        ",\"cache\":{\"theoretical_cache_hit_rate\":" (hit + 0.02) "}}")
      member("server_metrics", "{\"cache\":{\"gpu_cache_hit_rate\":" hit "},\"kv_cache\":{\"gpu_total_tokens\":" (312500 * all) "}}")
      member("kv_cache_pool_tokens", 312500 * all)
    }

    function metadata() {
      common()
      textual("isl", "ISL"); textual("osl", "OSL"); textual("kv_offloading", "KV_OFFLOADING")
      if (env("KV_OFFLOAD_BACKEND_METADATA") != "") member("kv_offload_backend", env("KV_OFFLOAD_BACKEND_METADATA"))
      if (env("EVAL_SUITE") != "") textual("eval_suite", "EVAL_SUITE")
      textual("eval_framework", "EVAL_FRAMEWORK")
      if (env("IS_MULTINODE") == "true") {
        side("prefill", "PREFILL"); side("decode", "DECODE")
        member("prefill_dp_attention", env("PREFILL_DP_ATTN")); member("decode_dp_attention", env("DECODE_DP_ATTN"))
      } else {
        member("tp", env("TP")); member("pp", env("PP_SIZE")); member("dcp_size", env("DCP_SIZE"))
        member("pcp_size", env("PCP_SIZE")); member("ep", env("EP_SIZE")); member("dp_attention", env("DP_ATTENTION"))
      }
    }

    function result(  task, filter, n, score) {
      task = env("IS_AGENTIC") == "1" ? "swebench_lite" : "gsm8k"
      filter = "strict-match"
      n = env("IS_AGENTIC") == "1" ? 300 : 1319
      score = (env("IS_AGENTIC") == "1" ? 0.55 : 0.957) - (env("PRECISION") == "fp4" ? 0.006 : 0)
      member("lm_eval_version", str("0.4.11")); textual("model_name", "MODEL")
      member("results", "{\"" task "\":{\"exact_match," filter "\":" score ",\"exact_match_stderr," filter "\":" num(sqrt(score * (1 - score) / n)) "}}")
      member("configs", "{\"" task "\":{\"metric_list\":[{\"metric\":\"exact_match\"}],\"filter_list\":[{\"name\":\"" filter "\"}]}}")
      member("n-samples", "{\"" task "\":{\"original\":" n ",\"effective\":" n "}}")
    }

    BEGIN {
      c = env("C"); gpus()
      if (env("MODE") == "gpus") { printf "%d_ctx_%d_gen_%d", all, p, all - p; exit }
      if (env("MODE") == "fixed") fixed()
      if (env("MODE") == "agentic") agentic()
      if (env("MODE") == "metadata") metadata()
      if (env("MODE") == "result") result()
      if (env("MODE") == "requests") out = "\"request_count\":{\"avg\":" (40 * c) "},\"error_request_count\":{\"avg\":1}"
      print "{" out "}"
    }'
}

: "${IS_MULTINODE:=false}"
export IS_MULTINODE

if [ "$EVAL_ONLY" = true ]; then
  concs=${EVAL_CONC:-$CONC}
  compute metadata "${concs%% *}" >meta_env.json
  for c in $concs; do
    case $concs in
    *" "*) compute result "$c" >"results_eval_conc$c.json" ;;
    *) compute result "$c" >results_eval.json ;;
    esac
  done
elif [ "$IS_MULTINODE" = true ]; then
  for c in $CONC_LIST; do
    if [ "$IS_AGENTIC" = 1 ]; then
      compute agentic "$c" >"${RESULT_FILENAME}_conc$c.json"
    else
      compute fixed "$c" >"${RESULT_FILENAME}_conc${c}_gpus_$(compute gpus "$c").json"
    fi
  done
elif [ "$IS_AGENTIC" = 1 ]; then
  mkdir -p results/aiperf_artifacts
  compute requests "$CONC" >results/aiperf_artifacts/profile_export_aiperf.json
  compute agentic "$CONC" >"$RESULT_FILENAME.json"
else
  compute fixed "$CONC" >"$RESULT_FILENAME.json"
fi

printf 'serving %s on %s\n' "$MODEL" "$RUNNER_NAME" >server.log
printf 'timestamp,index,power_w\n0,0,610\n1,0,655\n' >gpu_metrics.csv
echo "done"
