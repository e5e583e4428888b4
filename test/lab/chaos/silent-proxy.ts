/**
 * A TCP proxy that can fall silent: connections stay open and transmit nothing, as when a cable is cut or a router
 * drops its state.
 */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import type { Surroundings } from "./case.ts";

export interface SilentProxy {
  /** "host:port". */
  readonly address: string;
  /** Drops what comes from either side without a word; new connections are taken and carry nothing. */
  silence(): void;
  /** Ends what was cut and carries what is new. */
  repair(): void;
}

/** Opens one before "host:port"; it goes with the part. */
export async function openSilentProxy(around: Surroundings, target: string): Promise<SilentProxy> {
  const [, host = "", port = ""] = /^(.*):(\d+)$/u.exec(target) ?? [];
  const sockets = new Set<Socket>();
  let isSilent = false;

  function carry(from: Socket, to: Socket): void {
    sockets.add(from);
    // Read and forgotten while silent: an unread socket would tell the sender by its closed window.
    from.on("data", (bytes) => {
      if (!isSilent) to.write(bytes);
    });
    from.on("end", () => {
      if (!isSilent) to.end();
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      if (!isSilent) to.destroy();
    });
  }

  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ host, port: Number(port), allowHalfOpen: true });
    carry(inner, outer);
    carry(outer, inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  around.onEnd(() => {
    server.close();
    destroyAll();
  });
  // `as`: a listener on a port has an address of this shape.
  const own = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${own.port}`,
    silence: () => {
      isSilent = true;
    },
    repair: () => {
      destroyAll();
      isSilent = false;
    },
  };
}
