#!/bin/sh
# Trivet agent in one POSIX shell script: sends CPU, memory, disks, network, load and temperatures of this machine to a
# Trivet monitor. It needs awk, date, df, sed and curl or wget (BusyBox is enough), no root, and runs nothing that it
# receives. Settings come from options or from the environment, as for the other agents.
set -u
export LC_ALL=C
version='@VERSION@'

usage() {
  cat <<TEXT
Trivet agent $version for small machines

  sh agent.sh --url https://MONITOR --enrol KEY          KEY from "Add a machine"
  sh agent.sh --url https://MONITOR --id ID --key KEY    with an ID and agent key of your own

  --url URL           URL of the monitor (TRIVET_URL)
  --enrol KEY         exchange an enrollment key for an ID and an agent key (TRIVET_ENROL)
  --id ID             server ID (TRIVET_ID)
  --key KEY           agent key (prefer TRIVET_KEY: other users can see options in ps)
  --name NAME         display name of the machine (default: host name, TRIVET_NAME)
  --interval SECONDS  interval between reports, 10 to 300 (default 30, TRIVET_INTERVAL)
  --data FOLDER       folder for the identity and up to 200 unsent reports (TRIVET_DATA)
  --root FOLDER       in a container: mount point of the machine's "/" (TRIVET_ROOT)
  --ca FILE           PEM file with the certificate authority of the monitor, curl only (TRIVET_CA)
  --insecure          allow the key and reports to leave this machine unencrypted (TRIVET_INSECURE=1)
  --once              print one report and exit
TEXT
}

url=${TRIVET_URL:-} enrol=${TRIVET_ENROL:-} id=${TRIVET_ID:-} key=${TRIVET_KEY:-} name=${TRIVET_NAME:-}
interval=${TRIVET_INTERVAL:-30} root=${TRIVET_ROOT:-} ca=${TRIVET_CA:-} insecure=${TRIVET_INSECURE:-} once=''
data=${TRIVET_DATA:-${STATE_DIRECTORY:-${HOME:-/tmp}/.trivet-agent}}

say() { printf '%s\n' "$*" >&2; }
# What install.sh and people read.
status() {
  [ "${told:-}" != "$*" ] || return 0
  told=$*
  printf 'state=%s\ncause=%s\nreason=%s\n' "$1" "$2" "$3" 2>/dev/null >"$data/status"
  [ -z "$3" ] || say "$3"
}
fail() {
  status failed "$1" "$2"
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --insecure) insecure=1 ;;
    --once) once=1 ;;
    --version) printf '%s\n' "$version" && exit 0 ;;
    --help | -h) usage && exit 0 ;;
    --url | --enrol | --id | --key | --name | --interval | --data | --root | --ca)
      [ $# -ge 2 ] || { say "$1 requires a value" && exit 2; }
      eval "${1#--}=\$2"
      shift
      ;;
    *) say "Unknown option \"$1\". See --help" && exit 2 ;;
  esac
  shift
done
# In a container "self" is the container; process 1 of the machine's /proc has the machine's network and mounts.
own='' && [ -n "$root" ] && [ -r "$root/proc/1/net/dev" ] && own=1/
net=$root/proc/${own}net/dev mounts=$root/proc/${own}mounts
url=${url%/}
case $interval in '' | *[!0-9]* | ????*) say "--interval takes a whole number of seconds" && exit 2 ;; esac
[ "$interval" -ge 10 ] || interval=10
[ "$interval" -le 300 ] || interval=300
host=${name:-$(hostname 2>/dev/null || uname -n)}
host=$(printf %s "$host" | tr -cd 'A-Za-z0-9._-')
# Clones of a machine have its name and key, but not its start.
boot=$(cat "$root/proc/sys/kernel/random/boot_id" 2>/dev/null || sysctl -n kern.boottime 2>/dev/null)
boot=$(printf %s "$boot" | tr -cd 'A-Za-z0-9' | cut -c 1-64)

# BusyBox 1.35 crashes at wget -T, and before 1.30 timeout has another syntax.
limit=''
! timeout 30 true 2>/dev/null || limit='timeout 30'
# Prints the body of the answer and then its HTTP status on a line of its own; status 000 without an answer.
# post PATH FILE [KEY]
post() {
  if command -v curl >/dev/null; then
    # The key is not among the arguments, which other users can see.
    { [ -z "${3:-}" ] || printf 'header = "authorization: Bearer %s"\n' "$3"; } |
      curl -sS -m 30 ${ca:+--cacert "$ca"} -K - -H 'content-type: application/json' --data-binary "@$2" -w '\n%{http_code}' "$url$1" 2>"$errors"
    printf '\n'
  elif answer=$($limit wget -q -O - --header 'Content-Type: application/json' ${3:+--header "Authorization: Bearer $3"} --post-file "$2" "$url$1" 2>"$errors"); then
    printf '%s\n200\n' "$answer"
  else
    code=$(sed -n 's/.*HTTP[/ a-z0-9.]* \([45][0-9][0-9]\).*/\1/p; s/.*ERROR \([45][0-9][0-9]\).*/\1/p' "$errors" | head -n 1)
    printf '%s\n' "${code:-000}"
  fi
}
field_of() { printf %s "$1" | tr -d '\n' | sed -n "s/.*\"$2\" *: *\"\([^\"]*\)\".*/\1/p"; }
error_line() { tr '\n' ' ' 2>/dev/null <"$errors" | cut -c 1-200; }

# All counters of this moment on one line, "-" where there are none: awk compares them with those of the report before.
# cpu total, idle, iowait and steal ticks; bytes received, sent, read and written; seconds of a clock that nobody sets
counters() {
  set --
  # mawk reads nothing where one file is missing.
  for file in "$root/proc/stat" "$net" "$root/proc/diskstats" "$root/proc/uptime"; do [ ! -r "$file" ] || set -- "$@" "$file"; done
  if [ $# -gt 0 ]; then
    awk -v now="$(date +%s)" '
      FILENAME ~ /\/stat$/ && $1 == "cpu" { for (i = 2; i <= 9; i++) total += $i; idle = $5; wait = $6; steal = $9 }
      FILENAME ~ /\/dev$/ && /:/ { has_net = 1; sub(/:/, " "); if ($1 !~ /^(lo|veth|docker|br-|virbr|tun|tap|wg|bond|dummy|ifb|sit|ip6tnl|teql|lan|wlan.*-)/) { rx += $2; tx += $10 } }
      FILENAME ~ /\/diskstats$/ { has_disks = 1; if ($3 ~ /^(sd[a-z]+|hd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+|mmcblk[0-9]+)$/) { rd += $6 * 512; wr += $10 * 512 } }
      FILENAME ~ /\/uptime$/ { now = $1 }
      END { printf "%.0f %.0f %.0f %.0f %s %s %.2f\n", total, idle + wait, wait, steal,
        has_net ? sprintf("%.0f %.0f", rx, tx) : "- -", has_disks ? sprintf("%.0f %.0f", rd, wr) : "- -", now }
    ' "$@" 2>/dev/null
  else
    # FreeBSD: user nice system interrupt idle. macOS shows no ticks: its load stands for them.
    { sysctl -n kern.cp_time 2>/dev/null || echo 0 0 0 0 0; } | awk -v now="$(date +%s)" -v net="$(netstat -ibn 2>/dev/null |
      awk 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "Ibytes") r = i; if ($i == "Obytes") t = i } next }
        $1 !~ /^(lo|utun|bridge|pflog|gif|stf)/ && /Link#/ { rx += $(r - (NF < t)); tx += $(t - (NF < t)) } END { printf "%.0f %.0f", rx, tx }')" '
      { printf "%.0f %.0f 0 0 %s - - %d\n", $1 + $2 + $3 + $4 + $5, $5, net == "" ? "- -" : net, now }'
  fi
}

# "path total used" in KiB of each local disk, once; -P keeps a line a disk.
disks() {
  if [ -r "$mounts" ]; then
    # One mount a device, the shortest path. Network disks are left out: a server that hangs would stop df.
    awk '$3 ~ /^(ext[234]|xfs|btrfs|zfs|f2fs|jffs2|ubifs|vfat|exfat|ntfs3?|fuseblk|jfs|bcachefs|overlay)$/ && $2 !~ /^\/(snap|var\/lib\/(docker|containers))\// &&
      ($3 != "overlay" || $2 == "/" || $2 == "/overlay") { if (!($1 in path)) order[++count] = $1; if (!path[$1] || length($2) < length(path[$1])) path[$1] = $2 }
      END { for (i = 1; i <= count && i <= 32; i++) print path[order[i]] }' "$mounts" |
      while read -r path; do
        # The df of BusyBox asks every mount on the way, and a network disk that hangs would stop it.
        line=$(${limit:+timeout 3} df -kP "$root$(printf '%b' "$path")" 2>/dev/null) || [ $? -lt 124 ] || break
        printf '%s\n' "$line" | tail -n 1
      done
  else
    df -kP 2>/dev/null | grep '^/dev/'
  fi | awk -v root="$root" 'NF >= 6 && $2 > 0 { path = $6; for (i = 7; i <= NF; i++) path = path " " $i
    # What is not mounted into the container would be a disk of the container.
    if (root != "") { if (index(path, root) != 1) next; path = substr(path, length(root) + 1); if (path == "") path = "/" }
    # Data sets of a ZFS pool share what is free.
    key = $1; if ($1 !~ /^\//) sub(/\/.*/, "", key)
    if (!(key in used) || length(path) < length(paths[key])) paths[key] = path
    if (!(key in used) || $4 > free[key]) free[key] = $4
    used[key] += $3 }
    # As df: what is reserved for root is neither used nor free.
    END { for (key in used) printf "%.0f %.0f %s\n", used[key] + free[key], used[key], paths[key] }'
}

temperatures() {
  for file in "$root"/sys/class/hwmon/hwmon*/temp*_input "$root"/sys/class/thermal/thermal_zone*/temp; do
    [ -r "$file" ] || continue
    folder=${file%/*}
    sensor=''
    for label in "${file%_input}_label" "$folder/name" "$folder/type"; do
      [ -z "$sensor" ] && [ -r "$label" ] && read -r sensor <"$label"
    done
    # The sensor of a disk is named like all others of its kind.
    for disk in "$folder"/device/block/*; do [ ! -e "$disk" ] || sensor="$sensor ${disk##*/}"; done
    read -r value <"$file" 2>/dev/null && printf '%s %s\n' "$value" "$sensor"
  done
}

# The facts that sysctl tells where there is no /proc, in the form of /proc/meminfo.
memory() {
  if [ -r "$root/proc/meminfo" ]; then
    cat "$root/proc/meminfo"
  elif page=$(sysctl -n vm.stats.vm.v_page_size 2>/dev/null); then
    free=$(($(sysctl -n vm.stats.vm.v_free_count) + $(sysctl -n vm.stats.vm.v_inactive_count)))
    printf 'MemTotal: %s kB\nMemAvailable: %s kB\n' $(($(sysctl -n hw.physmem) / 1024)) $((free * page / 1024))
  elif total=$(sysctl -n hw.memsize 2>/dev/null); then
    vm_stat | awk -v total="$total" '/page size of/ { size = $8 } /Pages (free|inactive|speculative)/ { free += $NF }
      END { printf "MemTotal: %d kB\nMemAvailable: %d kB\n", total / 1024, free * size / 1024 }'
  fi
}
loads() { cut -d ' ' -f 1-3 2>/dev/null <"$root/proc/loadavg" || sysctl -n vm.loadavg 2>/dev/null | tr -d '{}'; }
uptime_seconds() {
  if [ -r "$root/proc/uptime" ]; then cut -d. -f 1 "$root/proc/uptime"; else
    boot=$(sysctl -n kern.boottime 2>/dev/null | sed 's/.*{ sec = \([0-9]*\).*/\1/')
    [ -z "$boot" ] || echo $(($(date +%s) - boot))
  fi
}
cpu_model() {
  sed -n 's/^\(model name\|Hardware\|cpu model\)[^:]*: *//p' "$root/proc/cpuinfo" 2>/dev/null | head -n 1 | grep . || sysctl -n hw.model 2>/dev/null
}
cores() { grep -c '^processor' "$root/proc/cpuinfo" 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 1; }
facts() {
  release=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$root/etc/os-release" 2>/dev/null | head -n 1)
  printf '%s\n' "$(uname -s | tr '[:upper:]' '[:lower:]')" "${release:-$(uname -s)}" "$(uname -r)" "$(uname -m)" "$(cpu_model)" "$(cores)"
}

# Prints one report as JSON. measure BEFORE NOW: lines of counters.
measure() {
  {
    printf 'C %s\nP %s\nL %s\nU %s\n' "$2" "$1" "$(loads)" "$(uptime_seconds)"
    memory | sed 's/^/M /'
    disks | sed 's/^/D /'
    temperatures | sed 's/^/T /'
    [ -z "${with_facts:-}" ] || facts | sed 's/^/F /'
  } | awk -v interval="$interval" -v version="$version" '
    function text(s) { gsub(/[\\"]/, "", s); gsub(/[[:cntrl:]]/, " ", s); return "\"" substr(s, 1, 120) "\"" }
    function share(part, of) { part = of > 0 ? 100 * part / of : 0; return sprintf("%.1f", part < 0 ? 0 : part > 100 ? 100 : part) }
    function rest(from,   i, s) { s = $from; for (i = from + 1; i <= NF; i++) s = s " " $i; return s }
    function add(s) { out = out "," s }
    # A counter that went backwards is of another start of the machine.
    function grew(i) { return has && seconds > 0 && c[i] != "-" && p[i] != "-" && c[i] + 0 >= p[i] + 0 && c[i + 1] + 0 >= p[i + 1] + 0 }
    function rate(i) { return sprintf("%.0f", (c[i] - p[i]) / seconds) }
    $1 == "C" { for (i = 2; i <= NF; i++) c[i] = $i }
    $1 == "P" { for (i = 2; i <= NF; i++) p[i] = $i; has = NF > 2 }
    $1 == "L" && NF == 4 { add("\"load\":{\"one\":" $2 + 0 ",\"five\":" $3 + 0 ",\"fifteen\":" $4 + 0 "}") }
    $1 == "U" && NF == 2 { add("\"uptimeSeconds\":" $2 + 0) }
    $1 == "M" { sub(/:/, "", $2); m[$2] = $3 * 1024 }
    $1 == "D" { total += $2 * 1024; used += $3 * 1024
      mounts = mounts (mounts == "" ? "" : ",") sprintf("{\"path\":%s,\"totalBytes\":%.0f,\"usedBytes\":%.0f}", text(rest(4)), $2 * 1024, $3 * 1024) }
    $1 == "T" && sensors < 64 && $2 ~ /^-?[0-9]+$/ && $2 != 0 && $2 > -60000 && $2 < 127000 {
      sensors++; label = rest(3); if (label == "") label = "sensor"; if (seen[label]++) label = label " " seen[label]
      temps = temps (temps == "" ? "" : ",") sprintf("{\"name\":%s,\"celsius\":%.1f}", text(label), $2 / 1000) }
    $1 == "F" { f[++facts] = rest(2) }
    END {
      seconds = c[10] - p[10]
      if (has && seconds > 0 && c[2] + 0 > p[2] + 0)
        add("\"cpu\":{\"usagePercent\":" share(c[2] - p[2] - (c[3] - p[3]), c[2] - p[2]) ",\"iowaitPercent\":" share(c[4] - p[4], c[2] - p[2]) ",\"stealPercent\":" share(c[5] - p[5], c[2] - p[2]) "}")
      if (m["MemTotal"] > 0) {
        free = ("MemAvailable" in m) ? m["MemAvailable"] : m["MemFree"] + m["Buffers"] + m["Cached"]
        add(sprintf("\"memory\":{\"totalBytes\":%.0f,\"usedBytes\":%.0f}", m["MemTotal"], m["MemTotal"] > free ? m["MemTotal"] - free : 0))
      }
      if ("SwapTotal" in m) add(sprintf("\"swap\":{\"totalBytes\":%.0f,\"usedBytes\":%.0f}", m["SwapTotal"], m["SwapTotal"] - m["SwapFree"]))
      disk = ""
      if (mounts != "") disk = sprintf("\"totalBytes\":%.0f,\"usedBytes\":%.0f,\"mounts\":[%s]", total, used, mounts)
      if (grew(8)) disk = disk (disk == "" ? "" : ",") "\"readBytesPerSecond\":" rate(8) ",\"writeBytesPerSecond\":" rate(9)
      if (disk != "") add("\"disk\":{" disk "}")
      if (c[6] ~ /^[0-9]/) add("\"network\":{\"rxTotalBytes\":" c[6] ",\"txTotalBytes\":" c[7] (grew(6) ? ",\"rxBytesPerSecond\":" rate(6) ",\"txBytesPerSecond\":" rate(7) : "") "}")
      if (temps != "") add("\"temperatures\":[" temps "]")
      if (facts) add("\"host\":{\"os\":" text(f[1]) ",\"platform\":" text(f[2]) ",\"kernel\":" text(f[3]) ",\"arch\":" text(f[4]) (f[5] == "" ? "" : ",\"cpuModel\":" text(f[5])) ",\"cpuCores\":" f[6] + 0 ",\"agentVersion\":" text(version) "}")
      print "{\"v\":1,\"intervalMs\":" interval * 1000 out "}"
    }'
}

if [ -n "$once" ]; then
  with_facts=1
  before=$(counters)
  sleep 1
  measure "$before" "$(counters)"
  exit 0
fi

[ -n "$url" ] || { say "--url is missing. See --help" && exit 2; }
umask 077
mkdir -p "$data" 2>/dev/null
[ -w "$data" ] || { say "The folder \"$data\" is not writable. Set --data" && exit 1; }
command -v curl >/dev/null || command -v wget >/dev/null || fail other "Neither curl nor wget was found. Install one of them"
case $url in
  https://* | http://127.* | http://localhost* | http://\[::1\]*) ;;
  http://*)
    [ -n "$insecure" ] ||
      fail privacy "\"$url\" is not encrypted: others on the way could read the agent key. Use https, or add --insecure in your own network"
    ;;
  *) fail other "\"$url\" is not a URL of a monitor" ;;
esac

# Ends at once on a signal, and leaves no "sleep" behind.
pause() {
  trap 'kill "$!" 2>/dev/null; exit 0' INT TERM
  sleep "$1" &
  wait "$!"
  if [ -n "${memory:-}" ]; then trap 'exit 0' INT TERM; else trap - INT TERM; fi
}

request=$data/request errors=$data/error
status starting '' ''
if [ -z "$id" ] && [ -f "$data/identity" ]; then
  { read -r id && read -r key; } <"$data/identity"
fi
while [ -z "$id" ] || [ -z "$key" ]; do
  [ -n "$enrol" ] || fail key "This machine is not enrolled. Start with --enrol KEY from \"Add a machine\""
  printf '{"code":"%s","hostname":"%s"}' "$enrol" "$host" >"$request"
  answer=$(post /api/enrol "$request")
  case $(printf '%s\n' "$answer" | tail -n 1) in
    20?)
      id=$(field_of "$answer" id) key=$(field_of "$answer" key)
      { printf '%s\n%s\n' "$id" "$key" >"$data/identity.new" && mv -f "$data/identity.new" "$data/identity"; } ||
        fail other "The identity cannot be stored in \"$data\". Make room, then start again with a new key"
      ;;
    401 | 404 | 409 | 422) fail key "The enrollment key is not valid, or it has been used. Create a new one" ;;
    *)
      status failed unreachable "The monitor at $url does not answer: $(error_line)"
      pause 10
      ;;
  esac
done

spool=$data/reports
# The disk is full: reports wait in memory from now on. Half a line that was still written goes.
leave_disk() {
  memory=/dev/shm/trivet-agent.$$
  [ "${spool%/reports}" != "$memory" ] && mkdir -m 700 "$memory" 2>/dev/null || return 1
  say "Nothing can be written to \"$data\": the disk may be full. Reports wait in memory"
  sed '$d' "$spool" >"$memory/reports" 2>/dev/null
  spool=$memory/reports request=$memory/request errors=$memory/error
  trap 'rm -rf "$memory"' EXIT
  trap 'exit 0' INT TERM
}

# Sends what waits, 50 reports at a time; false when the rest must wait.
deliver() {
  while [ -s "$spool" ]; do
    { printf '{"reports":['; head -n 50 "$spool" | paste -s -d , - 2>/dev/null || head -n 50 "$spool" | sed '$!s/$/,/'; printf ']}'; } >"$request"
    answer=$(post "/api/agent/report?server=$id&hostname=$host&boot=$boot" "$request" "$key")
    case $(printf '%s\n' "$answer" | tail -n 1) in
      200)
        case $answer in
          *'"accepted":false'*) status rejected '' "The monitor rejects reports: $(field_of "$answer" message)" ;;
          *) status reporting '' '' ;;
        esac
        ;;
      # Reports that it cannot read would be in the way forever.
      400 | 413 | 415 | 422) status rejected '' "The monitor cannot read the reports. Update agent.sh from $url/download/agent.sh" ;;
      401 | 403) status offline key "The monitor refuses the key of this server, or the server is disabled" && return 1 ;;
      *) status offline unreachable "The monitor at $url does not take reports: $(error_line)" && return 1 ;;
    esac
    sed '1,50d' "$spool" >"$spool.new" && mv -f "$spool.new" "$spool" || return 1
  done
}

before='' with_facts=1 rounds=0
while :; do
  now=$(counters)
  seconds=$(date +%s)
  # Before 2024 the clock is not set: the monitor could not place the report.
  if [ "$seconds" -lt 1704067200 ]; then
    status offline other "The clock of this machine is not set"
  else
    line="{\"collectedAt\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\",\"payload\":$(measure "$before" "$now")}"
    printf '%s\n' "$line" 2>/dev/null >>"$spool" || { leave_disk && printf '%s\n' "$line" >>"$spool"; }
    if [ "$(wc -l <"$spool")" -gt 200 ]; then tail -n 200 "$spool" >"$spool.new" && mv -f "$spool.new" "$spool"; fi
    if deliver; then with_facts=''; fi
    rounds=$((rounds + 1))
    # Facts again every hour or so, as the machine may have been upgraded.
    [ $((rounds % 120)) -ne 0 ] || with_facts=1
  fi
  before=$now
  spent=$(($(date +%s) - seconds))
  [ "$spent" -ge 0 ] && [ "$spent" -lt "$interval" ] || spent=0
  pause $((interval - spent))
done
