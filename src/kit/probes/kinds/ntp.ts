/** Whether a time server answers and is right: SNTP version 4 (RFC 4330 sections 4 and 5, RFC 5905). */
import { z } from "zod";
import { askByDatagram } from "../datagram.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

const DEFAULT_PORT = 123;
/** Seconds from 1900 to 1970. */
const ERA = 2_208_988_800;

const settings = () => ({
  host: hostSchema,
  port: portSchema.default(DEFAULT_PORT),
  /** How far the server's time may be from this location's, milliseconds; 0: any. */
  maxOffsetMs: z.number().int().min(0).max(86_400_000).default(0),
});

/** A timestamp of 64 bits as epoch milliseconds; the era after 2036 where the highest bit is 0 (RFC 4330 section 3). */
export function readTimestamp(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at);
  const era = seconds < 0x80_00_00_00 ? 2 ** 32 : 0;
  return (seconds + era - ERA) * 1_000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1_000;
}

export const ntp: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: ({ host }) => `NTP ${host}`,
  address: ({ host, port }) => (port === DEFAULT_PORT ? host : describePlace({ host, port })),
  host: ({ host }) => host,
  probe: ({ host, port, maxOffsetMs }, context) =>
    runTry(context, async (run) => {
      const [address = ""] = await run.findAddresses(host);
      const question = Buffer.alloc(48);
      // Version 4, mode 3 (client).
      question[0] = 0x23;
      const answer = await askByDatagram(run, { address, port, question });
      const latencyMs = run.elapsedMs();
      const arrived = context.clock.now();
      if (answer.length < 48 || ((answer[0] ?? 0) & 7) !== 4)
        throw new ProbeFailure("protocol", "The server does not speak NTP", { latencyMs });
      const [head = 0, stratum = 0] = answer;
      if (stratum === 0) {
        const code = answer
          .subarray(12, 16)
          .toString("latin1")
          .replaceAll(/[^A-Z]/gu, "");
        throw new ProbeFailure("status", `The server refuses this location (${code})`, { latencyMs });
      }
      if (head >> 6 === 3 || stratum > 15)
        throw new ProbeFailure("status", "The server's clock is not synchronized", { latencyMs });
      // The answer was halfway back when its time was written, give or take.
      const offsetMs = Math.round(readTimestamp(answer, 40) + latencyMs / 2 - arrived);
      const detail = `Stratum ${stratum}, ${offsetMs} ms from the clock of this location`;
      if (maxOffsetMs > 0 && Math.abs(offsetMs) > maxOffsetMs)
        throw new ProbeFailure("content", detail, { latencyMs });
      return { latencyMs, detail };
    }),
};

export const ntpForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "calendar",
  name: "{host}",
  fields: {
    host: { placeholder: "pool.ntp.org" },
    port: { folded: true },
    maxOffsetMs: {},
  },
};
