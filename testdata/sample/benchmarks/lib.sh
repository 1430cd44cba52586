# What the scripts of this folder share.

# require NAME... ends the script when a variable is not set.
require() {
  for name in "$@"; do
    if [ -z "${!name:-}" ]; then
      echo "$name is not set" >&2
      exit 1
    fi
  done
}

# wait_ready PORT PID waits for the server.
wait_ready() {
  until curl --silent --fail --output /dev/null "http://0.0.0.0:$1/health"; do
    kill -0 "$2" || exit 1
    sleep 5
  done
}
