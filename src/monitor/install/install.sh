#!/bin/sh
# Installs, upgrades or removes the Trivet agent on Linux. The monitor serves this file and all that it loads.
set -eu

url='@URL@'
version='@VERSION@'

usage() {
  cat <<TEXT
Trivet agent $version, from $url

  curl -fsSL $url/install.sh | sudo sh -s -- KEY     install, or enrol again with a new key
  curl -fsSL $url/install.sh | sudo sh               upgrade what is installed

  --dry-run           say what would be done, and do nothing
  --uninstall         stop and remove the agent with its settings, its data and its user
  --name NAME         how the machine calls itself (default: its host name)
  --interval SECONDS  time between reports, 1 to 300 (default 3)
  --insecure          let key and reports leave the own network unencrypted
  --node              use agent.js with the Node of this machine, also where there is a single file
  --no-start          install without starting
  --from FOLDER       take the files from this folder instead of the monitor
  --root FOLDER       put everything below this folder and start nothing: for images

The agent sends figures and takes no orders. It runs as a user of its own without rights, and reads /proc and /sys.
What it checks for the monitor is what you write into /var/lib/trivet-agent/checks.json; upgrades keep it.
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
  printf 'install.sh: %s; --help shows what there is\n' "$*" >&2
  exit 2
}

action=install
dry=no
start=yes
prefer_node=no
key=''
name=''
interval=''
insecure=''
from=''
root=''

while [ $# -gt 0 ]; do
  case $1 in
    --name | --interval | --from | --root | --url) [ $# -ge 2 ] || wrong "$1 takes a value" ;;
  esac
  case $1 in
    --help | -h) usage && exit 0 ;;
    --dry-run) dry=yes ;;
    --uninstall) action=uninstall ;;
    --upgrade) action=install ;;
    --insecure) insecure=1 ;;
    --node) prefer_node=yes ;;
    --no-start) start=no ;;
    --name) name=$2 && shift ;;
    --interval) interval=$2 && shift ;;
    --from) from=$2 && shift ;;
    --root) root=$2 && shift ;;
    --url) url=${2%/} && shift ;;
    --enrol) ;;
    -*) wrong "unknown option \"$1\"" ;;
    *) [ -z "$key" ] || wrong "one key is enough" && key=$1 ;;
  esac
  shift
done

# systemd would read quotes, backslashes and further lines in a value as something else.
case $key$url in *[!A-Za-z0-9._:/@%+,=~\[\]_-]*) wrong "the key or the address has characters that neither has" ;; esac
case $name in *[!A-Za-z0-9._-]*) wrong "--name takes letters, digits and . _ -" ;; esac
case $interval in *[!0-9]*) wrong "--interval takes a whole number of seconds" ;; esac
case $root in '' | /*) ;; *) wrong "--root takes an absolute path" ;; esac
[ "$(uname -s)" = Linux ] || fail "this is for Linux; on other systems run agent.js with Node, as the page shows"
if [ "$dry" = no ] && [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
  fail "this needs root: run it with sudo (or with --dry-run to see what it would do)"
fi

program=/opt/trivet-agent
data=/var/lib/trivet-agent
settings=/etc/trivet/agent.env
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
    cp -- "$from/$1" "$2"
  elif command -v curl >/dev/null; then
    curl -fsSL --retry 3 -o "$2" "$url/download/$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$url/download/$1"
  else
    fail "there is neither curl nor wget: install one of them"
  fi || fail "\"$url/download/$1\" cannot be loaded"
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

choose_file() {
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) arch='' ;;
  esac
  single=trivet-agent-linux-$arch.gz
  if [ "$prefer_node" = no ] && [ -n "$arch" ] && is_glibc && grep -q " $single\$" "$work/SHA256SUMS"; then
    file=$single
    command="$program/trivet-agent"
  elif has_node; then
    file=agent.js
    # The smallest settings: a small young generation, and no compiler.
    command="$node --max-semi-space-size=1 --lite-mode $program/agent.js"
  elif [ -n "$arch" ] && is_glibc; then
    fail "this monitor has no single file for linux-$arch, and there is no Node 20.19, 22.12 or newer here: install Node, or run \"npm run build:agent\" where the monitor runs"
  else
    fail "there is no single file for $(uname -m) with this C library: install Node 20.19, 22.12 or newer first"
  fi
}

load() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch SHA256SUMS "$work/SHA256SUMS"
  choose_file
  say "Loading $file from ${from:-$url}"
  [ "$dry" = no ] || return 0
  fetch "$file" "$work/$file"
  (cd "$work" && grep " $file\$" SHA256SUMS | sha256sum -c - >/dev/null 2>&1) ||
    fail "\"$file\" is not what the monitor's SHA256SUMS says: nothing was changed"
  case $file in
    *.gz) gzip -dc "$work/$file" >"$work/trivet-agent" && file=trivet-agent && chmod 0755 "$work/$file" ;;
  esac
  # It is asked for its version before anything depends on it.
  if [ "$file" = agent.js ]; then "$node" --lite-mode "$work/agent.js" --version; else "$work/trivet-agent" --version; fi >/dev/null ||
    fail "the program does not run on this machine: nothing was changed"
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
  case $file in agent.js) rm -f "$root$program/trivet-agent" ;; *) rm -f "$root$program/agent.js" ;; esac
}

# A key that was given replaces what stands there; the agent exchanges it at its next start.
place_settings() {
  kept=''
  [ ! -f "$root$settings" ] || kept=$(grep -v -E '^TRIVET_(ENROL|URL|NAME|INTERVAL|INSECURE)=' "$root$settings" || true)
  line_of() { sed -n "s/^$1=//p" "$root$settings" 2>/dev/null | tail -n 1; }
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

install_all() {
  if [ -f "$root$settings" ]; then
    say "Upgrading the agent to $version ($init)"
  elif [ -z "$key" ] && [ -z "$root" ]; then
    wrong "the agent is not installed here, and there is no KEY: the monitor's page \"Add a machine\" shows one"
  else
    say "Installing the agent $version ($init)"
  fi
  load
  make_user
  place_program
  place_settings
  place_service
  start_service
  if [ "$dry" = yes ]; then
    say "Nothing was changed"
  elif [ -n "$root" ] || [ "$start" = no ]; then
    say "Installed, not started"
  else
    say "Done: this machine reports to $url within seconds"
    case $init in
      systemd) say "  Its log: journalctl -u trivet-agent -f" ;;
      *) say "  Its log: /var/log/trivet-agent.log" ;;
    esac
    say "  To remove it: curl -fsSL $url/install.sh | sudo sh -s -- --uninstall"
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
  run rm -rf "$root$program" "$root$data" "$root/var/lib/private/trivet-agent" "$root$settings" \
    "$root/etc/systemd/system/trivet-agent.service" "$root/etc/init.d/trivet-agent" "$root/var/log/trivet-agent.log"
  [ ! -d "$root/etc/trivet" ] || run rmdir "$root/etc/trivet" 2>/dev/null || true
  if [ -z "$root" ] && [ "$init" = systemd ]; then run systemctl daemon-reload; fi
  if [ -z "$root" ] && grep -q "^$user:" /etc/passwd; then
    if command -v userdel >/dev/null; then run userdel "$user"; else run deluser "$user"; fi
  fi
  say "The agent is gone. The server in the dashboard stays until it is deleted there."
}

find_init
case $action in
  install) install_all ;;
  uninstall) uninstall ;;
esac
