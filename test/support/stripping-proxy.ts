/** A proxy that serves several services below paths of one host, and takes the path off before it asks them. */
import { once } from "node:events";
import { createServer, request } from "node:http";

export interface StrippingProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts it; `services` gives the port of the service below each path. */
export async function startStrippingProxy(
  services: Readonly<Record<string, number>>,
): Promise<StrippingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const [, name = "", rest = ""] = /^\/([a-z]+)(.*)$/u.exec(url) ?? [];
    const port = services[name];
    if (port === undefined) return void outgoing.writeHead(404).end("No service is below this path");
    const path = rest.startsWith("/") ? rest : `/${rest}`;
    const from = incoming.socket.remoteAddress ?? "";
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: false,
        headers: { ...headers, "x-forwarded-for": from },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on("error", () => outgoing.writeHead(502).end());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
