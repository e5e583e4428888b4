/** Requests to services of this machine that listen on a Unix socket. */
import { request as requestHttp } from "node:http";
import { type SocketAddress, toSocketPath } from "../text/socket-address.ts";

/** Ends the host names that stand for sockets; RFC 2606 section 2 keeps it out of every DNS. */
const SUFFIX = ".unix.invalid";
/** RFC 1035 section 2.3.4: a label has up to 63. */
const LABEL = /.{1,60}/gu;
/** Answers of our own services: health, tokens, keys. */
const MAX_ANSWER_BYTES = 8_388_608;
const NULL_BODY = new Set([204, 205, 304]);

/** The URL for {@link fetchLocal} of what listens on a socket: an ordinary one to all that only pass it on. */
export function toSocketUrl(address: SocketAddress, path = ""): string {
  const hex = Buffer.from(toSocketPath(address)).toString("hex");
  return `http://${(hex.match(LABEL) ?? []).join(".")}${SUFFIX}${path}`;
}

/** The socket of such a URL; undefined for others. */
function findSocketPath({ hostname }: URL): string | undefined {
  if (!hostname.endsWith(SUFFIX)) return undefined;
  return Buffer.from(hostname.slice(0, -SUFFIX.length).replaceAll(".", ""), "hex").toString();
}

/** A URL as people know it: that of a socket by the socket. */
export function toShownUrl(text: string): string {
  const url = new URL(text);
  const path = findSocketPath(url);
  return path === undefined ? text : `unix:${path}${url.pathname === "/" ? "" : ` ${url.pathname}`}`;
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? "", raw[index + 1] ?? "");
  return headers;
}

async function fetchFromSocket(socketPath: string, url: URL, init: RequestInit): Promise<Response> {
  const { pathname, search } = url;
  // A Request of the same path reads every kind of body and header.
  const asked = new Request(`http://localhost${pathname}${search}`, init);
  const body = Buffer.from(await asked.arrayBuffer());
  const headers = { ...Object.fromEntries(asked.headers), host: "localhost", connection: "close" };
  return new Promise((resolve, reject) => {
    const sent = requestHttp(
      {
        socketPath,
        path: pathname + search,
        method: asked.method,
        headers: body.length === 0 ? headers : { ...headers, "content-length": String(body.length) },
        signal: asked.signal,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES)
            answer.destroy(new Error(`The answer of unix:${socketPath} is too large`));
          else chunks.push(chunk);
        });
        answer.on("error", reject);
        answer.on("end", () => {
          const { statusCode: status = 500 } = answer;
          const content = NULL_BODY.has(status) ? null : Buffer.concat(chunks);
          resolve(new Response(content, { status, headers: toHeaders(answer.rawHeaders) }));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** fetch that also reaches URLs of {@link toSocketUrl}; redirects of those are not followed. */
export function fetchLocal(text: string, init: RequestInit = {}): Promise<Response> {
  if (!text.includes(SUFFIX)) return fetch(text, init);
  const url = new URL(text);
  const socketPath = findSocketPath(url);
  return socketPath === undefined ? fetch(text, init) : fetchFromSocket(socketPath, url, init);
}
