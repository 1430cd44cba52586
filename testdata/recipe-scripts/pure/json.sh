# JSON through jq (the golden output needs jq when it is made anew).
DOC='{"model": "org/m", "args": {"tp": 8, "flags": ["a", "b c"], "none": null, "on": true}, "list": [{"k": 1}, {"k": 2}]}'
echo "$DOC" | jq -r .model
echo "$DOC" | jq '.args.tp'
echo "$DOC" | jq -c '.args.flags'
echo "$DOC" | jq -r '.args.flags[1]'
echo "$DOC" | jq '.list[].k'
echo "$DOC" | jq -r '.missing // "default"'
echo "$DOC" | jq -r '.args | .flags | length'
echo "$DOC" | jq -c '.args | keys'
echo "$DOC" | jq .args
echo "$DOC" | jq -e .args.none > /dev/null || echo "null is false"
jq -n --arg m "a b" --argjson n 3 '{model: $m, n: $n, nested: {list: [1, "x", $m]}, ok: true}'
jq -cn --arg method mtp --argjson k 3 '{$method, num: $k} + {extra: ($method + "-x")}'
jq -rn '"raw text"'
SPEC=$(jq -nc --argjson k 2 '{method: "mtp", num_speculative_tokens: $k}'); echo "--speculative-config $SPEC"
jq -r .tp <<< '{"tp": 4}'
