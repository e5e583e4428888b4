/** Whether a server accepts a WebSocket handshake (RFC 6455 section 4). */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { line } from "../../text/schemas.ts";
import { converse, tlsSettings } from "../conversation.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

/** RFC 6455 section 1.3. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MAX_HEADERS = 100;

const settings = () => ({
  url: line(2_000)
    .trim()
    .refine(
      (text) => URL.canParse(text) && /^wss?:$/u.test(new URL(text).protocol),
      "must be a URL that begins with wss:// or ws://",
    )
    .refine(
      (text) => !URL.canParse(text) || new URL(text).username === "",
      "must not contain a username or a password",
    ),
  /** Sent as Sec-WebSocket-Protocol, and expected back; empty: none. */
  subprotocol: z
    .string()
    .trim()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,100}$/u, "must be the name of a subprotocol, such as mqtt")
    .default(""),
  /** Sent as Origin; some servers refuse connections without one. */
  origin: line(300).trim().default(""),
  ...tlsSettings(),
});

function toPlace(text: string) {
  const url = new URL(text);
  const isTls = url.protocol === "wss:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  return { url, isTls, port, host };
}

export const websocket: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: ({ url }) => `WebSocket ${toPlace(url).url.host}${toPlace(url).url.pathname}`,
  address: ({ url }) => url,
  host: ({ url }) => toPlace(url).host,
  probe: ({ url: text, subprotocol, origin, ...wishes }, context) =>
    runTry(context, (run) => {
      const { url, ...place } = toPlace(text);
      return converse(run, { ...wishes, ...place }, async (talk) => {
        const key = randomBytes(16).toString("base64");
        const fields = [
          `GET ${url.pathname}${url.search} HTTP/1.1`,
          `Host: ${url.host}`,
          "Upgrade: websocket",
          "Connection: Upgrade",
          `Sec-WebSocket-Key: ${key}`,
          "Sec-WebSocket-Version: 13",
          `User-Agent: ${run.context.userAgent}`,
          ...(origin === "" ? [] : [`Origin: ${origin}`]),
          ...(subprotocol === "" ? [] : [`Sec-WebSocket-Protocol: ${subprotocol}`]),
        ];
        talk.send(`${fields.join("\r\n")}\r\n\r\n`);
        const status = await talk.line();
        if (!/^HTTP\/1\.[01] \d{3}/u.test(status))
          throw new ProbeFailure("protocol", "The server does not speak HTTP");
        if (!status.startsWith("HTTP/1.1 101"))
          throw new ProbeFailure("status", `No WebSocket here: ${status.slice(9)}`);
        const answer = new Map<string, string>();
        for (let field = await talk.line(); field !== ""; field = await talk.line()) {
          if (answer.size === MAX_HEADERS)
            throw new ProbeFailure("protocol", "The response has too many headers");
          const at = field.indexOf(":");
          answer.set(field.slice(0, at).trim().toLowerCase(), field.slice(at + 1).trim());
        }
        const expected = createHash("sha1")
          .update(key + GUID)
          .digest("base64");
        if (answer.get("sec-websocket-accept") !== expected)
          throw new ProbeFailure("protocol", "The WebSocket handshake has a wrong Sec-WebSocket-Accept");
        if (subprotocol !== "" && answer.get("sec-websocket-protocol") !== subprotocol)
          throw new ProbeFailure("protocol", `The server did not accept the subprotocol "${subprotocol}"`);
        // A close frame with status 1000, masked with zeros.
        talk.send(Uint8Array.of(0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8));
        return "101 Switching Protocols";
      });
    }),
};

export const websocketForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "move",
  name: "{url}",
  fields: {
    url: { placeholder: "wss://example.org/socket" },
    subprotocol: { folded: true },
    origin: { folded: true, placeholder: "https://example.org" },
    certificateDays: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
