#!/bin/sh
# check.sh FORMAT FILE [WORD …]: checks the repository for a build server.
#
# Writes the findings in FORMAT (sarif, junit or json) to FILE for the server, and says what was
# found in the log.  WORDs go to `headwater check` (nodes, --baseline FILE, --rules FILE …).
# Ends as `headwater check` does: 0 fine, 1 findings, 2 a wrong command line.
set -u

format=${1:?usage: check.sh FORMAT FILE [WORD ...]}
file=${2:?usage: check.sh FORMAT FILE [WORD ...]}
shift 2

headwater check --format "$format" "$@" > "$file"
status=$?
if [ "$status" -eq 1 ]; then
  # The same once more for people; the cache makes it quick.
  headwater check "$@" 2> /dev/null
fi
exit "$status"
