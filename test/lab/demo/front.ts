/** The ports of a demo that is replaced while visitors look at it: connections go to whichever program is the present one. */
import { once } from "node:events";
import { type Server, type Socket, connect, createServer } from "node:net";

export interface Front {
  /** New connections to the port of this name go to `port` on this machine; open ones stay where they are. */
  lead(name: string, port: number): void;
  close(): Promise<void>;
}

/** Listens on all of `ports`. @throws Error when one is taken */
export async function openFront(ports: Readonly<Record<string, number>>, host: string): Promise<Front> {
  const targets = new Map<string, number>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };

  function forward(name: string, visitor: Socket): void {
    const program = connect({ port: targets.get(name) ?? 0, host: "127.0.0.1" });
    for (const [one, other] of [
      [visitor, program],
      [program, visitor],
    ] as const) {
      keep(one);
      one.setNoDelay();
      one.pipe(other);
      // A broken connection on one side ends the other.
      one.on("error", () => other.destroy());
      one.once("close", () => other.end());
    }
  }

  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  };
  try {
    for (const [name, port] of Object.entries(ports)) {
      const server = createServer((visitor) => forward(name, visitor));
      server.listen(port, host);
      servers.push(server);
      await once(server, "listening");
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { lead: (name, port) => void targets.set(name, port), close };
}
