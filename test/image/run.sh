#!/bin/bash
# npm run test:image: builds ops/Dockerfile with buildah, and runs the image as ops/compose.yaml and ops/kubernetes do: as its user,
# without capabilities, on a root file system that takes no writes. Needs root and Debian's packages, and names those that are missing.
# The base image is made of Debian's packages, the Node of node_modules and this machine's npm, because no registry is asked for one.
set -u
cd "$(dirname "$0")/../.." || exit 1

packages='buildah mmdebstrap bubblewrap curl openssl postgresql'
missing=
for tool in buildah mmdebstrap bwrap curl openssl npm git setpriv; do command -v $tool >/dev/null || missing+=" $tool"; done
postgres=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
[ -n "$postgres" ] || missing+=' postgresql'
[ "$(id -u)" = 0 ] || missing+=' root'
if [ -n "$missing" ]; then
  echo "test:image did not run, it needs:$missing (apt-get install --no-install-recommends $packages)"
  exit 77 # as automake's tests that were skipped
fi

megabytes_max=120 resident_megabytes_max=256
port=${IMAGE_PORT:-4900} metrics_port=$((${IMAGE_PORT:-4900} + 1)) database_port=$((${IMAGE_PORT:-4900} + 2))
service=http://127.0.0.1:$port
passed=0 failed=0 child= database= box=
work=$(mktemp -d)
chmod 711 "$work"
printf '[storage]\ndriver="overlay"\ngraphroot="%s/images"\nrunroot="%s/run"\n' "$work" "$work" >"$work/storage.conf"
export CONTAINERS_STORAGE_CONF=$work/storage.conf

clean_up() {
  [ -n "$child" ] && kill -KILL "$child" 2>/dev/null
  [ -n "$database" ] && kill -QUIT "$database" 2>/dev/null && wait "$database" 2>/dev/null
  [ -n "$box" ] && buildah umount "$box" >/dev/null
  buildah rm --all >/dev/null 2>&1
  buildah rmi --all --force >/dev/null 2>&1
  umount "$work/images/overlay" 2>/dev/null
  # what is still mounted is not removed through its mount
  grep -q "$work" /proc/mounts || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

give_up() {
  echo "$1"
  tail -15 "$work/log"
  exit 1
}

# check SENTENCE COMMAND…
check() {
  local sentence=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not ok: $sentence"; fi
}

# prints the status; the body is in $work/body
status_of() { curl -s -m 5 -o "$work/body" -w '%{http_code}' "$@"; }
# answers SENTENCE STATUS CURL-ARGUMENTS…
answers() {
  local sentence=$1 wanted=$2 actual
  shift 2
  actual=$(status_of "$@")
  check "$sentence: $wanted, not $actual" [ "$actual" = "$wanted" ]
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }

make_base() {
  local base=$work/base suite node npm
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir "$base"
  mmdebstrap --quiet --variant=minbase "$suite" "$work/base.tar" >"$work/log" 2>&1 || give_up 'The base cannot be made:'
  tar -xf "$work/base.tar" -C "$base" --exclude='./dev/*'
  node=$(ls "$PWD"/node_modules/node-linux-*/bin/node 2>/dev/null | head -1)
  [ -x "$node" ] || { echo 'There is no Node in node_modules: run npm ci first.'; exit 1; }
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  install -D -m 755 "$node" "$base/usr/local/bin/node"
  mkdir -p "$base/usr/local/lib/node_modules"
  cp -a "$npm" "$base/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
  # as in the image of Node: words that are no program are arguments of node
  printf '#!/bin/sh\nset -e\nif [ "${1#-}" != "$1" ] || [ -z "$(command -v "$1")" ]; then set -- node "$@"; fi\nexec "$@"\n' \
    >"$base/usr/local/bin/docker-entrypoint.sh"
  chmod 755 "$base/usr/local/bin/docker-entrypoint.sh"
  chroot "$base" groupadd --gid 1000 node
  chroot "$base" useradd --uid 1000 --gid node --create-home node
  box=$(buildah from scratch)
  buildah add --quiet "$box" "$base" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --entrypoint '["docker-entrypoint.sh"]' --cmd node "$box"
  buildah commit --quiet --rm "$box" node:24-slim >/dev/null
  box=
  rm -rf "$base" "$work/base.tar"
}

# of what git has; a certificate that npm needs on this machine is there during the build, and is not kept
build_image() {
  local options=() authority
  git -c tar.umask=0022 archive --prefix=project/ HEAD | tar -x -C "$work"
  authority=$(npm config get cafile 2>/dev/null)
  if [ -f "$authority" ]; then
    echo 'cafile=/run/ca.crt' >"$work/npmrc"
    options=(--volume "$authority:/run/ca.crt:ro" --volume "$work/npmrc:/usr/local/etc/npmrc:ro")
  fi
  (cd "$work/project" && buildah build --format docker --isolation chroot --pull-never --layers=false "${options[@]}" \
    --file ops/Dockerfile --tag gatehouse .) >"$work/log" 2>&1 || give_up 'The image cannot be built:'
}

config() { buildah inspect --type image --format "$1" gatehouse; }

start_database() {
  local password=$1 as=(setpriv --reuid postgres --regid postgres --clear-groups)
  install -d -o postgres "$work/postgres"
  echo "$password" >"$work/password"
  chmod 644 "$work/password"
  "${as[@]}" "$postgres/initdb" -D "$work/postgres/data" -U gatehouse --pwfile="$work/password" -A scram-sha-256 >"$work/log" 2>&1 ||
    give_up 'No database can be made:'
  "${as[@]}" "$postgres/postgres" -D "$work/postgres/data" -c listen_addresses=127.0.0.1 -p "$database_port" -k "$work/postgres" \
    >"$work/postgres.log" 2>&1 &
  database=$!
  for _ in $(seq 50); do
    PGPASSWORD=$password "$postgres/createdb" -h 127.0.0.1 -p "$database_port" -U gatehouse gatehouse 2>/dev/null && return
    sleep .2
  done
  cp "$work/postgres.log" "$work/log"
  give_up 'The database does not start:'
}

make_base
build_image
box=$(buildah from --pull-never gatehouse)
root=$(buildah mount "$box")
version=$(node -p 'require("./package.json").version')

check 'the user is node' [ "$(config '{{.OCIv1.Config.User}}')" = node ]
check 'the HEALTHCHECK is there' [ -n "$(config '{{.Docker.Config.Healthcheck}}' | grep livez)" ]
check 'the label is the version' [ "$(config '{{index .OCIv1.Config.Labels "org.opencontainers.image.version"}}')" = "$version" ]
check 'everything in /app is owned by root, and nobody else may write there' \
  [ -z "$(find "$root/app" ! -type l \( -perm /022 -o ! -user 0 \) | head -1)" ]
check 'no compiler is in it' [ ! -e "$root/app/node_modules/typescript" -a ! -e "$root/app/node_modules/vite" ]
check 'nothing of development is in it' [ ! -e "$root/app/dist/bundle/dev" -a -z "$(grep -rl demo-secret "$root/app/dist")" ]
check 'licences are in it' [ -s "$root/app/LICENSE" -a -s "$root/app/NOTICE" ]
check 'the list of packages is CycloneDX, and has gatehouse and express' node -e "
  const { bomFormat, metadata, components } = JSON.parse(require('node:fs').readFileSync('$root/app/sbom.cdx.json', 'utf8'));
  process.exit(bomFormat === 'CycloneDX' && metadata.component.name === 'gatehouse' && components.some(({ name }) => name === 'express') ? 0 : 1)"
size=$(du -sm "$root/app" | cut -f1)
check "/app has at most $megabytes_max MB, not $size" [ "$size" -le "$megabytes_max" ]

password=$(openssl rand -hex 12)
start_database "$password"
sed -e "s#^DATABASE_URL=.*#DATABASE_URL=postgresql://gatehouse:$password@127.0.0.1:$database_port/gatehouse#" \
  -e "s#^KEY_ENCRYPTION_KEY=.*#&$(openssl rand -base64 32)#" "$work/project/ops/gatehouse.env.example" >"$work/env"
printf 'HOST=127.0.0.1\nPORT=%s\nMETRICS_PORT=%s\n' "$port" "$metrics_port" >>"$work/env"
settings=()
while read -r line; do [ -n "$line" ] && settings+=(--setenv "${line%%=*}" "${line#*=}"); done \
  < <(config '{{range .OCIv1.Config.Env}}{{println .}}{{end}}'; grep -E '^[A-Z]' "$work/env")
inside=(bwrap --unshare-user --uid 1000 --gid 1000 --unshare-pid --unshare-ipc --cap-drop ALL --as-pid-1 --die-with-parent
  --ro-bind "$root" / --proc /proc --dev /dev --chdir /app --clearenv "${settings[@]}")

check '--version is the version' [ "$("${inside[@]}" bin/gatehouse --version)" = "$version" ]
# the first word of the help is a command that works here
command=$("${inside[@]}" bin/gatehouse --help | awk 'NR == 1 { print $1 }')
check "the command that the help names works: $command" "${inside[@]}" "$command" --version >/dev/null
check 'bin/gatehouse migrate, as the Job of Kubernetes runs it' "${inside[@]}" bin/gatehouse migrate >"$work/log" 2>&1
read -ra program < <(config '{{range .OCIv1.Config.Cmd}}{{print . " "}}{{end}}')
started=$(milliseconds)
"${inside[@]}" --tmpfs /tmp --info-fd 3 docker-entrypoint.sh "${program[@]}" 3>"$work/info" >"$work/out" 2>&1 &
for _ in $(seq 300); do
  ready=$(status_of "$service/readyz")
  [ "$ready" = 200 ] && break
  sleep .1
done
ready_ms=$(($(milliseconds) - started))
child=$(grep -oE '[0-9]+' "$work/info" | head -1)
check "/readyz is 200, not $ready: $(tail -1 "$work/out")" [ "$ready" = 200 ]

token=$("${inside[@]}" bin/gatehouse admin-token 2>/dev/null)
answers 'a token of admin-token opens /api' 200 -H "authorization: Bearer $token" -H 'api-version: 1.0' "$service/api/applications"
answers 'and /graphql' 200 -H "authorization: Bearer $token" -H 'content-type: application/json' -d '{"query":"{__typename}"}' "$service/graphql"
check 'client create prints a secret' [ -n "$("${inside[@]}" bin/gatehouse client create trial --name Trial 2>/dev/null)" ]
answers 'there is no development provider' 404 "$service/development/identity-provider/id-token?user=ada"
answers 'there is no development client' 401 -u demo-client:demo-secret-for-development-only \
  -d grant_type=refresh_token -d refresh_token=x -d profileId=x "$service/token"
answers 'the console is there' 200 "$service/console/"
asset=$(grep -oE 'assets/[^"]+\.js' "$work/body" | head -1)
answers 'and its program' 200 "$service/console/${asset:-none}"
answers 'metrics are on their own port' 200 "http://127.0.0.1:$metrics_port/metrics"
answers 'and on no other' 404 "$service/metrics"
healthcheck=$(config '{{index .Docker.Config.Healthcheck.Test 3}}')
check 'the HEALTHCHECK succeeds' "${inside[@]}" node -e "$healthcheck"
resident=$(awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$child/status")
check "at most $resident_megabytes_max MB are resident, not $resident" [ "${resident:-9999}" -le "$resident_megabytes_max" ]

ended=$(milliseconds)
kill -TERM "$child"
for _ in $(seq 200); do
  kill -0 "$child" 2>/dev/null || break
  sleep .1
done
ended_ms=$(($(milliseconds) - ended))
check "SIGTERM ends it within the 20 s of compose.yaml, not $ended_ms ms" [ "$ended_ms" -lt 19000 ]
fails() { ! "$@"; }
check 'and then the HEALTHCHECK fails' fails "${inside[@]}" node -e "$healthcheck"

echo "image: /app has $size MB; ready in $ready_ms ms; $resident MB resident; ended $ended_ms ms after SIGTERM"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
