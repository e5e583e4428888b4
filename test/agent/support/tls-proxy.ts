/** Like the proxy in front of the gRPC port in a real installation: terminates TLS and passes the bytes on. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { cert, key } from "../../support/tls-pair.ts";

/** Listens on a free port and passes on to `target`, a port of this machine. */
export async function startTlsProxy(target: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer({ cert, key, ALPNProtocols: ["h2"] }, (client) => {
    const service = connect(target, "127.0.0.1");
    keep(client);
    keep(service);
    client.pipe(service).pipe(client);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
