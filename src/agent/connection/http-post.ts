/** One POST of JSON over HTTP or HTTPS. */
import type { IncomingMessage } from "node:http";
import process from "node:process";

// Not imports: these would make Node read every export of the modules, and with them load its fetch and the whole list
// of authorities, 3 MB for good.
const { request: requestHttp } = process.getBuiltinModule("node:http");
const { request: requestHttps } = process.getBuiltinModule("node:https");

export interface PostOptions {
  readonly body: unknown;
  /** PEM certificates to trust besides the authorities that come with the runtime. */
  readonly ca?: readonly string[];
}

/** The response. Redirects are not followed: that could send a secret to another host. */
export interface PostAnswer {
  readonly status: number;
  /** The JSON, or undefined when the body is none or too long. */
  readonly body: unknown;
}

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_CHARACTERS = 65_536;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readAnswer(response: IncomingMessage): Promise<PostAnswer> {
  const status = response.statusCode ?? 0;
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) {
    text += String(chunk);
    // Leaving the loop ends the connection.
    if (text.length > MAX_ANSWER_CHARACTERS) return { status, body: undefined };
  }
  return { status, body: parseJson(text) };
}

/** Posts `body` to `url`. @throws what the network, TLS or the time-out of 15 s threw, with its `code` */
export function postJson(url: string, options: PostOptions): Promise<PostAnswer> {
  const body = new TextEncoder().encode(JSON.stringify(options.body));
  const common = {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.byteLength },
    // A single call: nothing is kept open for a next one.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  return new Promise((resolve, reject) => {
    const onResponse = (response: IncomingMessage): void => {
      readAnswer(response).then(resolve, reject);
    };
    const request =
      new URL(url).protocol === "https:"
        ? requestHttps(
            url,
            {
              ...common,
              ...(options.ca === undefined
                ? {}
                : { ca: [...process.getBuiltinModule("node:tls").rootCertificates, ...options.ca] }),
            },
            onResponse,
          )
        : requestHttp(url, common, onResponse);
    request.on("error", reject);
    request.end(body);
  });
}
