/** Whether a server answers a datagram, such as a game server or a DNS server. */
import { line } from "../../text/schemas.ts";
import { askByDatagram } from "../datagram.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

/** A text whose \xHH, \n, \r, \t, \0 and \\ are bytes; undefined when another backslash is in it. */
export function toBytes(text: string): Buffer | undefined {
  const named: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, 0: 0, "\\": 92 };
  const parts: Buffer[] = [];
  for (const [, hex, letter, plain] of text.matchAll(/\\x([0-9A-Fa-f]{2})|\\([^x])|([^\\]+)|\\/gsu)) {
    if (plain !== undefined) parts.push(Buffer.from(plain));
    else if (hex !== undefined) parts.push(Buffer.from(hex, "hex"));
    else {
      const byte = named[letter ?? ""];
      if (byte === undefined) return undefined;
      parts.push(Buffer.from([byte]));
    }
  }
  return Buffer.concat(parts);
}

const bytesSchema = () =>
  line(2_000).refine(
    (text) => toBytes(text) !== undefined,
    String.raw`may contain bytes as \xHH, and \n, \r, \t, \0 and \\; write \\ for a backslash`,
  );

const settings = () => ({
  host: hostSchema,
  port: portSchema,
  /** What is sent. */
  send: bytesSchema(),
  /** What the answer must contain; empty: any answer will do. */
  expects: bytesSchema().default(""),
});

const MAX_SHOWN = 60;

/** Bytes for people: letters as they are, others as \xHH. */
function toText(bytes: Buffer): string {
  const shown = bytes.subarray(0, MAX_SHOWN).toString("latin1");
  return shown.replaceAll(/[^ -~]/gu, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

export const udp: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: (target) => `UDP ${describePlace(target)}`,
  address: describePlace,
  host: ({ host }) => host,
  probe: ({ host, port, send, expects }, context) =>
    runTry(context, async (run) => {
      const [address = ""] = await run.findAddresses(host);
      const question = toBytes(send) ?? Buffer.alloc(0);
      const answer = await askByDatagram(run, { address, port, question });
      const latencyMs = run.elapsedMs();
      if (!answer.includes(toBytes(expects) ?? ""))
        throw new ProbeFailure("content", `The answer is "${toText(answer)}"`, { latencyMs });
      return { latencyMs, detail: `${answer.length} bytes from ${describePlace({ host: address, port })}` };
    }),
};

export const udpForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "plug",
  name: "{host}:{port}",
  fields: {
    host: { placeholder: "game.example.org" },
    port: { initial: 27_015 },
    send: { placeholder: String.raw`\xff\xff\xff\xffTSource Engine Query\0` },
    expects: {},
  },
};
