#!/bin/sh
# revisions.sh FOLDER: a git repository in a new folder, with this control repository
# as revision `main` and the change of feature.diff on top of it as `feature`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: revisions.sh FOLDER}
test ! -e "$folder" || { echo "$folder is there already" >&2; exit 1; }

mkdir -p "$folder"
for each in "$here"/*; do
  case ${each##*/} in
    revisions.sh|feature.diff) ;;
    *) cp -R "$each" "$folder/" ;;
  esac
done
cd "$folder"

# commit NAME DATE MESSAGE: as that person, on that day, whatever git is set up to do here
commit() {
  git add -A
  GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL=$1@example.com GIT_AUTHOR_DATE="$2 09:00:00 +0000" \
  GIT_COMMITTER_NAME=$1 GIT_COMMITTER_EMAIL=$1@example.com GIT_COMMITTER_DATE="$2 09:00:00 +0000" \
    git -c commit.gpgsign=false -c core.hooksPath=/dev/null commit -q -m "$3"
}

git init -q
git symbolic-ref HEAD refs/heads/main
commit alice 2026-03-02 'Roles, profiles and data of three machines'
git checkout -q -b feature
git apply "$here/feature.diff"
commit bob 2026-03-09 'Our own time servers come first, and the shop moves to port 443'
git checkout -q main
