/** A proxy before PostgreSQL that ends each new connection in the very packet that says it is ready, or swallows all bytes. */
import { createServer, connect, type AddressInfo, type Socket } from "node:net";

export interface PostgresProxy {
  /** The database's address by way of the proxy. */
  readonly url: string;
  /** Whether new connections are ended; those that are open go on. */
  isDeadly: boolean;
  /** Whether connections stay open and carry nothing; what was swallowed is never made up for. */
  isSilent: boolean;
  /** How many it ended. */
  readonly ended: number;
  /** Ends every open connection. */
  cut(): void;
  close(): Promise<void>;
}

/** ErrorResponse "57P01": terminating connection due to administrator command. */
function farewell(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command"];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Where the first ReadyForQuery ends, or undefined while it has not come. */
function findReady(bytes: Buffer): number | undefined {
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes[at] === 0x5a && end <= bytes.length) return end;
    at = end;
  }
  return undefined;
}

/** Starts a proxy on a free port of loopback, which passes everything through at first. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy = { isDeadly: false, isSilent: false, ended: 0 };
  const carry = (from: Socket, to: Socket): void => {
    from.on("data", (chunk: Buffer) => void (proxy.isSilent || to.write(chunk)));
    from.on("end", () => to.end());
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const mustEnd = proxy.isDeadly;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    carry(client, upstream);
    if (!mustEnd) {
      carry(upstream, client);
      return;
    }
    let held = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      const ready = findReady(held);
      if (ready === undefined || client.writableEnded) return;
      proxy.ended += 1;
      client.end(Buffer.concat([held.subarray(0, ready), farewell()]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has an address and a port
  return {
    url: url.href,
    get isDeadly() {
      return proxy.isDeadly;
    },
    set isDeadly(value) {
      proxy.isDeadly = value;
    },
    get isSilent() {
      return proxy.isSilent;
    },
    set isSilent(value) {
      proxy.isSilent = value;
    },
    get ended() {
      return proxy.ended;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
