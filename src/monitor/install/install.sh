#!/bin/sh
# Installs, upgrades or removes the Trivet agent on Linux. The monitor serves this file and all that it loads.
set -eu

url='@URL@'
version='@VERSION@'
# Public key of minisign that this release is signed with; empty in a program that was built from the sources.
signer=''

usage() {
  cat <<TEXT
Trivet agent $version, from ${url:-a monitor without a public URL}

  curl -fsSL ${url:-MONITOR}/install.sh | sudo sh -s -- KEY     install, or enroll again with a new key
  curl -fsSL ${url:-MONITOR}/install.sh | sudo sh               upgrade the installed agent

  --dry-run           show the changes without making them
  --uninstall         stop and remove the agent with its settings, data and user
  --name NAME         display name of the machine (default: host name)
  --interval SECONDS  interval between reports, 1 to 300 (default 3; agent.sh: 10 to 300, default 30)
  --ca FILE           trust the certificate authority in this PEM file, for a monitor with a private certificate
  --wait SECONDS      time to wait for the first report (default 60; 0: do not wait)
  --unsigned          accept programs without the release's signature; their checksums are still verified
  --insecure          allow the key and reports to leave your own network unencrypted
  --small             use agent.sh, a shell script that needs neither Node nor a program for this processor
  --node              use agent.js with the Node of this machine, even if a single-file program is available
  --no-start          install without starting
  --from FOLDER       use the files in this folder instead of downloading them from the monitor
  --root FOLDER       write all files below this folder without starting the agent: for images

The agent only sends reports and never executes commands. It runs as an unprivileged user and reads /proc and /sys.
Checks on this machine are configured in /var/lib/trivet-agent/checks.json, which upgrades keep.
Program   /opt/trivet-agent          Settings  /etc/trivet/agent.env
Data      /var/lib/trivet-agent      Service   trivet-agent (systemd, OpenRC or /etc/init.d)
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
wrong() {
  printf 'install.sh: %s. See --help\n' "$*" >&2
  exit 2
}

action=install
dry=no
start=yes
prefer_node=no
small=no
key=''
name=''
interval=''
insecure=''
from=''
root=''
ca=''
unsigned=no
patience=60

while [ $# -gt 0 ]; do
  case $1 in
    --name | --interval | --from | --root | --url | --ca | --wait) [ $# -ge 2 ] || wrong "$1 requires a value" ;;
  esac
  case $1 in
    --help | -h) usage && exit 0 ;;
    --dry-run) dry=yes ;;
    --uninstall) action=uninstall ;;
    --upgrade) action=install ;;
    --insecure) insecure=1 ;;
    --unsigned) unsigned=yes ;;
    --node) prefer_node=yes ;;
    --small) small=yes ;;
    --no-start) start=no ;;
    --name) name=$2 && shift ;;
    --interval) interval=$2 && shift ;;
    --from) from=$2 && shift ;;
    --root) root=$2 && shift ;;
    --ca) ca=$2 && shift ;;
    --wait) patience=$2 && shift ;;
    --url) url=${2%/} && shift ;;
    --enrol) ;;
    -*) wrong "unknown option \"$1\"" ;;
    *) [ -z "$key" ] || wrong "only one key is allowed" && key=$1 ;;
  esac
  shift
done

# systemd would read quotes, backslashes and further lines in a value as something else.
case $key$url in *[!A-Za-z0-9._:/@%+,=~\[\]_-]*) wrong "the key or the URL has invalid characters" ;; esac
case $name in *[!A-Za-z0-9._-]*) wrong "--name accepts only letters, digits and . _ -" ;; esac
case $interval in *[!0-9]*) wrong "--interval takes a whole number of seconds" ;; esac
case $patience in '' | *[!0-9]*) wrong "--wait takes a whole number of seconds" ;; esac
if [ -n "$ca" ] && ! grep -q -e '-----BEGIN CERTIFICATE-----' "$ca" 2>/dev/null; then
  wrong "the file of --ca, \"$ca\", cannot be read or does not contain a PEM certificate"
fi
case $root in '' | /*) ;; *) wrong "--root requires an absolute path" ;; esac
[ "$(uname -s)" = Linux ] || fail "this script is for Linux. On other systems, run agent.js with Node as shown in the dashboard"
if [ "$dry" = no ] && [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
  fail "root permissions are required. Run the script with sudo (or with --dry-run to see the changes)"
fi

program=/opt/trivet-agent
data=/var/lib/trivet-agent
settings=/etc/trivet/agent.env
authority=/etc/trivet/agent-ca.pem
user=trivet-agent
pid_file=/run/trivet-agent.pid

run() {
  if [ "$dry" = yes ]; then say "  would run: $*"; else "$@"; fi
}
# The text comes on standard input.
write() {
  if [ "$dry" = yes ]; then
    cat >/dev/null
    say "  would write: $root$1"
    return 0
  fi
  mkdir -p "$root$(dirname "$1")"
  (umask 077 && cat >"$root$1.new")
  chmod "$2" "$root$1.new"
  mv -f "$root$1.new" "$root$1"
}

find_init() {
  if [ -n "$root" ]; then
    init=systemd
  elif [ -d /run/systemd/system ]; then
    init=systemd
  elif command -v rc-service >/dev/null && [ -d /run/openrc ]; then
    init=openrc
  else
    init=plain
  fi
}

fetch() {
  if [ -n "$from" ]; then
    cp -- "$from/$1" "$2" 2>/dev/null || fail "\"$1\" is not in \"$from\". Copy it there from the release"
  elif command -v curl >/dev/null; then
    curl -fsSL --retry 3 ${ca:+--cacert "$ca"} -o "$2" "$url/download/$1"
  elif command -v wget >/dev/null; then
    wget -q ${ca:+"--ca-certificate=$ca"} -O "$2" "$url/download/$1"
  else
    fail "neither curl nor wget was found. Install one of them"
  fi || fail "\"$url/download/$1\" could not be downloaded. If its certificate is from a private authority, set --ca FILE"
}

# A signature of minisign is two letters, the key's number, and Ed25519 over the BLAKE2b hash of the file.
verify_by_openssl() {
  sed -n 2p "$work/SHA256SUMS.minisig" | openssl base64 -d -A | tail -c 64 >"$work/signature"
  # The head of such a key in DER (RFC 8410), then the key itself.
  printf '\060\052\060\005\006\003\053\145\160\003\041\000' >"$work/signer"
  printf %s "$signer" | openssl base64 -d -A | tail -c 32 >>"$work/signer"
  openssl dgst -blake2b512 -binary "$work/SHA256SUMS" >"$work/hash" &&
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/signer" -rawin -in "$work/hash" -sigfile "$work/signature"
}
verify_by_minisign() { minisign -V -q -P "$signer" -m "$work/SHA256SUMS"; }
verify_by_node() {
  # shellcheck disable=SC2016
  node -e '
    const { createHash, createPublicKey, verify } = require("node:crypto");
    const { readFileSync } = require("node:fs");
    const [signer, file] = process.argv.slice(1);
    const raw = Buffer.from(signer, "base64").subarray(10);
    const x = raw.toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const line = readFileSync(`${file}.minisig`, "utf8").split("\n")[1];
    const hash = createHash("blake2b512").update(readFileSync(file)).digest();
    process.exit(verify(null, hash, key, Buffer.from(line, "base64").subarray(10)) ? 0 : 1);' "$signer" "$work/SHA256SUMS"
}

# Checks the release's signature with what this machine has for it.
verify() {
  [ -n "$signer" ] && [ "$unsigned" = no ] || return 0
  fetch SHA256SUMS.minisig "$work/SHA256SUMS.minisig"
  if command -v minisign >/dev/null; then
    way=minisign
  elif command -v openssl >/dev/null && openssl pkeyutl -help 2>&1 | grep -q -e '-rawin'; then
    way=openssl
  elif command -v node >/dev/null; then
    way=node
  else
    fail "the signature of the release cannot be verified: install minisign, OpenSSL 3 or Node. --unsigned relies on the checksums of the monitor alone"
  fi
  "verify_by_$way" >/dev/null 2>&1 || fail "the programs are not signed by the release that this script is from. Nothing was changed"
}

has_node() {
  node=$(command -v node) || return 1
  node=$(readlink -f "$node") || return 1
  # A home folder is closed to the service.
  case $node in /home/* | /root/* | *[!A-Za-z0-9._/+-]*) return 1 ;; esac
  "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}

# A program made for glibc does not start on musl.
is_glibc() { ls /lib*/ld-linux-* /lib/*-linux-gnu/ld-linux-* >/dev/null 2>&1; }

take_script() {
  file=agent.sh
  command="/bin/sh $program/agent.sh"
}

choose_file() {
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) arch='' ;;
  esac
  single=trivet-agent-linux-$arch.gz
  if [ "$small" = yes ]; then
    take_script
  elif [ "$prefer_node" = no ] && [ -n "$arch" ] && is_glibc && grep -q " $single\$" "$work/SHA256SUMS"; then
    file=$single
    command="$program/trivet-agent"
  elif has_node; then
    file=agent.js
    # The smallest settings: a small young generation, and no compiler, with which Node up to 22 complains of WebAssembly.
    lite=--lite-mode
    if "$node" --lite-mode --no-expose-wasm -e 0 2>/dev/null; then lite='--lite-mode --no-expose-wasm'; fi
    command="$node --max-semi-space-size=1 $lite $program/agent.js"
  elif [ "$prefer_node" = no ] && grep -q ' agent.sh$' "$work/SHA256SUMS"; then
    take_script
    say "Using agent.sh: there is no single-file program for $(uname -m) with this C library, and no Node 20.19, 22.12 or newer"
  else
    fail "there is no single-file program for $(uname -m) with this C library. Install Node 20.19, 22.12 or newer first"
  fi
}

load() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch SHA256SUMS "$work/SHA256SUMS"
  verify
  choose_file
  say "Downloading $file from ${from:-$url}"
  [ "$dry" = no ] || return 0
  fetch "$file" "$work/$file"
  (cd "$work" && grep " $file\$" SHA256SUMS | sha256sum -c - >/dev/null 2>&1) ||
    fail "\"$file\" does not match the SHA256SUMS of the monitor. Nothing was changed"
  case $file in
    *.gz) gzip -dc "$work/$file" >"$work/trivet-agent" && file=trivet-agent && chmod 0755 "$work/$file" ;;
  esac
  # It is asked for its version before anything depends on it.
  # shellcheck disable=SC2086
  said=$(case $file in
    agent.js) "$node" $lite "$work/agent.js" --version ;;
    agent.sh) /bin/sh "$work/agent.sh" --version ;;
    *) "$work/trivet-agent" --version ;;
  esac) || fail "the program does not run on this machine. Nothing was changed"
  # An old release is signed as well.
  [ -z "$signer" ] || [ "$said" = "$version" ] || fail "the program is version $said, not $version. Nothing was changed"
}

place_program() {
  if [ "$dry" = yes ]; then
    say "  would write: $root$program/${file%-linux-*}"
    return 0
  fi
  mkdir -p "$root$program"
  chmod 0755 "$work/$file"
  cp "$work/$file" "$root$program/.new"
  mv -f "$root$program/.new" "$root$program/$file"
  for other in agent.js agent.sh trivet-agent; do
    [ "$other" = "$file" ] || rm -f "$root$program/$other"
  done
}

line_of() { sed -n "s/^$1=//p" "$root$settings" 2>/dev/null | tail -n 1; }

place_authority() {
  [ -z "$ca" ] || write "$authority" 0644 <"$ca"
}

# A key that was given replaces what stands there; the agent exchanges it at its next start.
place_settings() {
  kept=''
  names='ENROL|URL|NAME|INTERVAL|INSECURE'
  [ -z "$ca" ] || names="$names|CA"
  [ ! -f "$root$settings" ] || kept=$(grep -v -E "^TRIVET_($names)=" "$root$settings" || true)
  given=$key
  : "${key:=$(line_of TRIVET_ENROL)}"
  : "${name:=$(line_of TRIVET_NAME)}"
  : "${interval:=$(line_of TRIVET_INTERVAL)}"
  : "${insecure:=$(line_of TRIVET_INSECURE)}"
  {
    [ -z "$kept" ] || printf '%s\n' "$kept"
    [ -z "$key" ] || printf 'TRIVET_ENROL=%s\nTRIVET_URL=%s\n' "$key" "$url"
    [ -z "$name" ] || printf 'TRIVET_NAME=%s\n' "$name"
    [ -z "$interval" ] || printf 'TRIVET_INTERVAL=%s\n' "$interval"
    [ -z "$insecure" ] || printf 'TRIVET_INSECURE=%s\n' "$insecure"
    [ -z "$ca" ] || printf 'TRIVET_CA=%s\n' "$authority"
  } | write "$settings" 0600
}

unit_text() {
  cat <<TEXT
# Written by install.sh of the monitor. What should differ here goes into "systemctl edit trivet-agent".
[Unit]
Description=Trivet agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
DynamicUser=yes
EnvironmentFile=$settings
Environment=MALLOC_ARENA_MAX=1
StateDirectory=trivet-agent
StateDirectoryMode=0700
ExecStart=$command
Restart=always
RestartSec=10
UMask=0077
MemoryMax=200M

# No ProtectProc, ProcSubset or PrivateNetwork, which hide what is counted, and no ProtectHome=yes, which hides
# a disk that is mounted at /home.
NoNewPrivileges=yes
CapabilityBoundingSet=
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
TEXT
}

openrc_text() {
  cat <<TEXT
#!/sbin/openrc-run
# Written by install.sh of the monitor.
description="Trivet agent"
supervisor=supervise-daemon
command="${command%% *}"
command_args="$(case $command in *\ *) printf %s "${command#* }" ;; esac)"
command_user="$user:$user"
respawn_delay=10
output_log=/var/log/trivet-agent.log
error_log=/var/log/trivet-agent.log
set -a
. $settings
STATE_DIRECTORY=$data
MALLOC_ARENA_MAX=1
set +a
depend() { need net; }
# The log is opened as the user, who may not make files there.
start_pre() { checkpath --file --mode 0640 --owner $user:$user /var/log/trivet-agent.log; }
TEXT
}

plain_text() {
  cat <<TEXT
#!/bin/sh
### BEGIN INIT INFO
# Provides:          trivet-agent
# Required-Start:    \$network
# Required-Stop:     \$network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Trivet agent
### END INIT INFO
# Written by install.sh of the monitor.
is_running() { [ -f $pid_file ] && kill -0 "\$(cat $pid_file)" 2>/dev/null; }
case \${1:-} in
  start)
    is_running && exit 0
    set -a
    . $settings
    STATE_DIRECTORY=$data
    MALLOC_ARENA_MAX=1
    set +a
    touch /var/log/trivet-agent.log && chown $user /var/log/trivet-agent.log
    # The first shell writes its pid and becomes the agent.
    nohup sh -c 'echo \$\$ >$pid_file; exec $(plain_command)' </dev/null >>/var/log/trivet-agent.log 2>&1 &
    ;;
  stop)
    is_running || exit 0
    pid=\$(cat $pid_file)
    kill "\$pid"
    tries=0
    while kill -0 "\$pid" 2>/dev/null && [ \$tries -lt 10 ]; do sleep 1; tries=\$((tries + 1)); done
    rm -f $pid_file
    ;;
  restart) "\$0" stop; "\$0" start ;;
  status) is_running ;;
  *) echo "usage: \$0 start|stop|restart|status" >&2; exit 2 ;;
esac
TEXT
}

# Rights go before the agent begins: setpriv keeps the pid, su is everywhere.
plain_command() {
  if command -v setpriv >/dev/null; then
    printf 'setpriv --reuid=%s --regid=%s --clear-groups --no-new-privs %s' "$user" "$user" "$command"
  elif command -v chpst >/dev/null; then
    printf 'chpst -u %s %s' "$user" "$command"
  else
    printf 'su -s /bin/sh -c "exec %s" %s' "$command" "$user"
  fi
}

make_user() {
  [ "$init" != systemd ] || return 0
  if ! grep -q "^$user:" /etc/passwd; then
    if command -v useradd >/dev/null; then
      run useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin "$user"
    else
      run addgroup -S "$user"
      run adduser -S -D -H -h "$data" -s /sbin/nologin -G "$user" "$user"
    fi
  fi
  run mkdir -p "$data"
  run chown "$user" "$data"
  run chmod 0700 "$data"
}

place_service() {
  case $init in
    systemd) unit_text | write /etc/systemd/system/trivet-agent.service 0644 ;;
    openrc) openrc_text | write /etc/init.d/trivet-agent 0755 ;;
    plain) plain_text | write /etc/init.d/trivet-agent 0755 ;;
  esac
}

start_service() {
  [ -z "$root" ] && [ "$start" = yes ] || return 0
  # What the agent says from now on is of this start.
  run rm -f "$data/status"
  since=$(date '+%Y-%m-%d %H:%M:%S')
  case $init in
    systemd)
      run systemctl daemon-reload
      run systemctl enable --quiet trivet-agent
      run systemctl restart trivet-agent
      ;;
    openrc)
      run rc-update -q add trivet-agent default
      run rc-service -q trivet-agent restart
      ;;
    plain)
      if command -v update-rc.d >/dev/null; then run update-rc.d trivet-agent defaults; fi
      run /etc/init.d/trivet-agent restart
      ;;
  esac
}

stop_service() {
  case $init in
    systemd) systemctl disable --now --quiet trivet-agent || true ;;
    openrc)
      rc-service -q trivet-agent stop || true
      rc-update -q del trivet-agent default || true
      ;;
    plain) /etc/init.d/trivet-agent stop || true ;;
  esac
}

status_of() { sed -n "s/^$1=//p" "$data/status" 2>/dev/null | tail -n 1; }
restarts() { [ "$init" != systemd ] || systemctl show -p NRestarts --value trivet-agent 2>/dev/null; }

show_log() {
  say "Last lines of the log:"
  case $init in
    # systemd 252 takes the oldest lines for "-n" with "--since".
    systemd) journalctl -u trivet-agent -o cat --no-pager --since "$since" 2>/dev/null | tail -n 8 ;;
    *) tail -n 8 /var/log/trivet-agent.log 2>/dev/null ;;
  esac | sed 's/^/  /'
}

# Waits for what the agent itself says: the monitor has acknowledged a report, or why not.
wait_for_report() {
  [ "$patience" -gt 0 ] || return 0
  say "Waiting for the first report"
  waited=0
  seen=''
  reason=''
  cause=''
  while [ "$waited" -lt "$patience" ]; do
    state=$(status_of state)
    case $state in
      '' | starting) ;;
      *) seen=$state reason=$(status_of reason) cause=$(status_of cause) ;;
    esac
    case $state in
      reporting | rejected) break ;;
      # A monitor that is not there yet is asked again.
      failed) [ "$cause" = unreachable ] || break ;;
    esac
    case $(restarts) in '' | 0 | 1) ;; *) [ -n "$seen" ] || break ;; esac
    sleep 1
    waited=$((waited + 1))
  done
  unused=$(status_of key)
  case $seen in
    reporting)
      [ -z "$given" ] || [ -z "$unused" ] ||
        say "The key was not needed; this machine keeps its previous enrollment: $unused"
      return 0
      ;;
    rejected) fail "the monitor rejects the reports of this machine: $reason. Upgrade the monitor, then run the command again" ;;
    offline) fail "this machine is enrolled, but its reports do not arrive: $reason. Check that the monitor's gRPC port is reachable from here (PUBLIC_GRPC at the monitor). The agent keeps trying. Log: $log_hint" ;;
    failed) ;;
    *)
      show_log >&2
      fail "the agent is not running: no status within $waited s"
      ;;
  esac
  case $cause in
    unreachable) fail "$reason. The agent keeps trying every 10 s. Check the URL, the firewall and that the monitor is running. If the key expires, create a new one" ;;
    certificate)
      stop_service
      fail "$reason. The key was not used: run the same command again with --ca FILE, the PEM file of that authority, before the key expires. The service is stopped"
      ;;
    key)
      stop_service
      fail "$reason. The service is stopped. Run the new command here"
      ;;
    privacy)
      stop_service
      fail "$reason. The service is stopped"
      ;;
    *)
      show_log >&2
      fail "${reason:-the agent ended}"
      ;;
  esac
}

install_all() {
  # An upgrade goes where the agent is at home.
  : "${url:=$(line_of TRIVET_URL)}"
  # This file as it is in the sources knows none either.
  case $url in @*) url=$(line_of TRIVET_URL) ;; esac
  [ -n "$url" ] || { [ -n "$from" ] && [ -z "$key" ]; } ||
    wrong "the monitor has no public URL. Set --url http://HOST:PORT, or set the URL in the console (Settings) or with PUBLIC_URL"
  if [ -f "$root$settings" ]; then
    say "Upgrading the agent to $version ($init)"
  elif [ -z "$key" ] && [ -z "$root" ]; then
    wrong "the agent is not installed here, and KEY is missing. The page \"Add server\" of the monitor shows a key"
  else
    say "Installing the agent $version ($init)"
  fi
  load
  make_user
  place_program
  place_authority
  place_settings
  place_service
  start_service
  if [ "$dry" = yes ]; then
    say "Nothing was changed"
  elif [ -n "$root" ] || [ "$start" = no ]; then
    say "Installed, not started"
  else
    case $init in systemd) log_hint='journalctl -u trivet-agent' ;; *) log_hint=/var/log/trivet-agent.log ;; esac
    wait_for_report
    if [ "$patience" -gt 0 ]; then
      say "Done: the monitor at $url has received the first report of this machine"
    else
      say "Started without waiting. The log shows whether the agent reports: $log_hint"
    fi
    say "  Log: $log_hint"
    say "  To uninstall: curl -fsSL $url/install.sh | sudo sh -s -- --uninstall"
  fi
}

uninstall() {
  say "Removing the agent ($init)"
  case $init in
    systemd)
      [ -n "$root" ] || [ ! -f /etc/systemd/system/trivet-agent.service ] || run systemctl disable --now --quiet trivet-agent
      ;;
    openrc)
      [ ! -f /etc/init.d/trivet-agent ] || run rc-service -q trivet-agent stop
      run rc-update -q del trivet-agent default
      ;;
    plain)
      [ ! -x /etc/init.d/trivet-agent ] || run /etc/init.d/trivet-agent stop
      if command -v update-rc.d >/dev/null; then run update-rc.d -f trivet-agent remove; fi
      ;;
  esac
  run rm -rf "$root$program" "$root$data" "$root/var/lib/private/trivet-agent" "$root$settings" "$root$authority" \
    "$root/etc/systemd/system/trivet-agent.service.d" "$root/etc/systemd/system/trivet-agent.service" "$root/etc/init.d/trivet-agent" "$root/var/log/trivet-agent.log"
  [ ! -d "$root/etc/trivet" ] || run rmdir "$root/etc/trivet" 2>/dev/null || true
  if [ -z "$root" ] && [ "$init" = systemd ]; then run systemctl daemon-reload; fi
  if [ -z "$root" ] && grep -q "^$user:" /etc/passwd; then
    if command -v userdel >/dev/null; then run userdel "$user"; else run deluser "$user"; fi
  fi
  say "The agent was removed. Delete the server in the dashboard if you no longer need it."
}

find_init
case $action in
  install) install_all ;;
  uninstall) uninstall ;;
esac
