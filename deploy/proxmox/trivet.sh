#!/bin/sh
# Creates a Debian container with Trivet on Proxmox VE, from a release that you downloaded and verified (docs/releases.md).
# Run as root on the node: sh trivet.sh trivet-0.2.0-linux-x64.tar.gz [CTID]
set -eu

fail() {
  printf 'trivet.sh: %s\n' "$*" >&2
  exit 1
}

archive=${1:-}
[ -f "$archive" ] || fail "name the archive of a release: sh trivet.sh trivet-VERSION-linux-x64.tar.gz [CTID]"
command -v pct >/dev/null || fail "run this on a node of Proxmox VE"
id=${2:-$(pvesh get /cluster/nextid)}
storage=${STORAGE:-local-lvm}
bridge=${BRIDGE:-vmbr0}
node_archive=${NODE_ARCHIVE:-}
[ -f "$node_archive" ] || fail "set NODE_ARCHIVE to the archive of Node.js 22 or 24 for linux-x64 (https://nodejs.org)"

pveam update >/dev/null
template=$(pveam available --section system | awk '/debian-1[23]-standard/ { print $2 }' | tail -n 1)
[ -n "$template" ] || fail "there is no Debian template. See pveam available"
pveam list local | grep -q "$template" || pveam download local "$template"

pct create "$id" "local:vztmpl/$template" --hostname trivet --unprivileged 1 --features nesting=1 \
  --cores 2 --memory 1024 --swap 0 --rootfs "$storage:8" --net0 "name=eth0,bridge=$bridge,ip=dhcp" --onboot 1
pct start "$id"
pct push "$id" "$node_archive" /root/node.tar
pct push "$id" "$archive" /root/trivet.tar.gz
pct exec "$id" -- sh -euc '
  apt-get update -q && apt-get install -qy xz-utils >/dev/null
  tar -xf /root/node.tar -C /usr/local --strip-components 1
  mkdir -p /root/trivet && tar -xzf /root/trivet.tar.gz -C /root/trivet --strip-components 1
  /root/trivet/scripts/install || [ $? -eq 3 ]
  sed -i "s/^HOST=.*/HOST=0.0.0.0/" /etc/trivet/trivet.env
  systemctl restart trivet
  rm -r /root/node.tar /root/trivet.tar.gz /root/trivet'
printf 'Container %s runs Trivet. Monitor: port 8080, shop: 8081, accounts: 8082, agents: 50051.\n' "$id"
printf 'Administrator token: pct exec %s -- cat /var/lib/trivet/first-admin-token\n' "$id"
