/** Traffic of the interfaces that lead out of the machine, from /proc/net/dev. */
import type { InterfaceTotals } from "../payload.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import { chooseNothing } from "../name-filter.ts";

const inner =
  /^(?:lo|veth|docker|br-|br\d|virbr|vnet|cni|cbr|flannel|cali|cilium|lxc|lxd|podman|nerdctl|kube|vxlan|geneve|gre|sit|ip6tnl|ip6gre|tunl|erspan|tun|tap|wg|tailscale|zt|utun|dummy|ifb|nlmon|bond|team|macvtap|ipvlan|vmnet|vboxnet|teql|ip_vti|ip6_vti)/u;
const MOST_INTERFACES = 32;

/** Reads the text of /proc/net/dev: every interface with its counters. */
export function parseNetDev(text: string): InterfaceTotals[] {
  const interfaces: InterfaceTotals[] = [];
  for (const line of text.split("\n")) {
    // Old kernels leave no space after the colon; the name itself may hold one (an alias, "eth0:1").
    const match = /^\s*(\S+):\s*(\d.*)/u.exec(line);
    const columns = (match?.[2] ?? "").trim().split(/\s+/u).map(Number);
    const [rxTotalBytes, , rxErrors = 0, , , , , , txTotalBytes, , txErrors = 0] = columns;
    const name = match?.[1];
    if (name === undefined || rxTotalBytes === undefined || txTotalBytes === undefined) continue;
    if (!Number.isFinite(rxTotalBytes) || !Number.isFinite(txTotalBytes)) continue;
    interfaces.push({ name, rxTotalBytes, txTotalBytes, errors: rxErrors + txErrors });
  }
  return interfaces;
}

/**
 * The interfaces to count. `virtualNames` are those of /sys/devices/virtual/net. Where there is real
 * hardware only that counts; a container has none, and then everything that its name does not exclude. `choose`
 * includes others and leaves out some of these.
 */
export function pickInterfaces(
  interfaces: readonly InterfaceTotals[],
  virtualNames: ReadonlySet<string>,
  choose: NameFilter = chooseNothing,
): InterfaceTotals[] {
  const isReal = (name: string): boolean => !virtualNames.has(name) && name !== "lo";
  const hasReal = virtualNames.size > 0 && interfaces.some(({ name }) => isReal(name));
  const isUsual = hasReal ? isReal : (name: string): boolean => !inner.test(name);
  return interfaces.filter(({ name }) => choose(name) ?? isUsual(name)).slice(0, MOST_INTERFACES);
}
