/** Unix sockets as settings name them. */

/** Such as "unix:/run/trivet/shop.sock". */
export type SocketAddress = `unix:${string}`;

/** The address of every client of a Unix socket: programs on this machine, in practice a proxy. */
export const UNIX_PEER = "unix";

/** sockaddr_un has 108 bytes on Linux, one of which ends the path. */
export const MAX_SOCKET_PATH_BYTES = 107;

export function isSocketAddress(place: unknown): place is SocketAddress {
  return typeof place === "string" && place.startsWith("unix:");
}

export function toSocketPath(address: SocketAddress): string {
  return address.slice("unix:".length);
}
