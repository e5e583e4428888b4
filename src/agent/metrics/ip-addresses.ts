/** The addresses by which other machines reach this one, for its administrator. */
import type { NetworkInterfaceInfo } from "node:os";

/** Of container engines and virtual machines; addresses of VPNs stay. */
const inner =
  /^(?:docker|br-|veth|virbr|vnet|cni|cbr|flannel|cali|cilium|lxc|lxd|podman|nerdctl|kube|vmnet|vboxnet)/u;
const MOST_ADDRESSES = 16;

/** Addresses of the interfaces that lead out of the machine; no loopback, no link-local ones, no containers' bridges. */
export function pickAddresses(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly string[] {
  const found = Object.entries(interfaces)
    .filter(([name]) => !inner.test(name))
    .flatMap(([, infos = []]) => infos)
    .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/iu.test(address))
    .map(({ address }) => address);
  return [...new Set(found)].slice(0, MOST_ADDRESSES);
}
