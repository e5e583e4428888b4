/** The service's side of an enrollment on a free port, over HTTP or HTTPS; its answers are configurable. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { cert, key } from "../../support/tls-pair.ts";

export interface EnrolRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: string;
}

export interface EnrolService {
  readonly url: string;
  readonly port: number;
  readonly requests: EnrolRequest[];
  close(): Promise<void>;
}

/** A string goes out as it is, anything else as JSON. */
export async function startEnrolService(options: {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly https?: boolean;
}): Promise<EnrolService> {
  const requests: EnrolRequest[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      requests.push({ method: request.method, path: request.url, body });
      response.writeHead(options.status, options.headers);
      response.end(typeof options.body === "string" ? options.body : JSON.stringify(options.body));
    });
  };
  const https = options.https === true;
  const server = https ? createTlsServer({ cert, key }, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `${https ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
