/** Whether an MQTT broker accepts a client: CONNECT and CONNACK of MQTT 3.1.1, sections 3.1 and 3.2. */
import { z } from "zod";
import { newSecret } from "../../secrets/id.ts";
import { line } from "../../text/schemas.ts";
import { converse, tlsSettings } from "../conversation.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import type { ProbeForm, ProbeKind } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

const settings = () => ({
  host: hostSchema,
  port: portSchema.default(1_883),
  /** Whether the connection is encrypted. */
  tls: z.boolean().default(false),
  username: line(200).default(""),
  ...tlsSettings(),
});
const secrets = () => ({ password: line(500).min(1) });

/** Return codes of CONNACK. */
const refusals: Readonly<Record<number, string>> = {
  1: "the protocol version is not supported",
  2: "the client ID is not accepted",
  3: "the broker is unavailable",
  4: "the username or the password is wrong",
  5: "the client is not authorized",
};

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The remaining length, 7 bits a byte, the lowest first. */
function toLength(length: number): Buffer {
  const bytes: number[] = [];
  for (let rest = length; ; rest >>= 7) {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0));
    if (rest <= 127) return Buffer.from(bytes);
  }
}

function toConnect({ username, password }: { readonly username: string; readonly password: string }): Buffer {
  const clean = 0x02;
  const flags = clean | (username === "" ? 0 : 0x80) | (username === "" || password === "" ? 0 : 0x40);
  const keepAliveSeconds = [0, 30];
  const body = Buffer.concat([
    text("MQTT"),
    Buffer.from([4, flags, ...keepAliveSeconds]),
    text(`trivet-${newSecret("c").slice(2, 14)}`),
    ...(username === "" ? [] : [text(username)]),
    ...((flags & 0x40) === 0 ? [] : [text(password)]),
  ]);
  return Buffer.concat([Buffer.from([0x10]), toLength(body.length), body]);
}

export const mqtt: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  describe: (target) => `MQTT ${describePlace(target)}`,
  address: describePlace,
  host: ({ host }) => host,
  recipient: ({ host, port, tls, username }) => `${describePlace({ host, port })} ${tls} ${username}`,
  probe: ({ tls: isTls, ...target }, context) =>
    runTry(context, (run) =>
      converse(run, { ...target, isTls }, async (talk) => {
        talk.send(toConnect(target));
        const [kind, length, , code = 0] = await talk.bytes(4);
        if (kind !== 0x20 || length !== 2)
          throw new ProbeFailure("protocol", "The server does not speak MQTT 3.1.1");
        if (code !== 0)
          throw new ProbeFailure("status", `The broker refused: ${refusals[code] ?? `code ${code}`}`);
        // DISCONNECT, so that no last will is published.
        talk.send(Uint8Array.of(0xe0, 0));
        return "The broker accepted the client";
      }),
    ),
};

export const mqttForm: ProbeForm<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  icon: "parcel",
  name: "{host}",
  fields: {
    host: { placeholder: "mqtt.example.org" },
    port: {},
    tls: {},
    username: {},
    password: {},
    certificateDays: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
