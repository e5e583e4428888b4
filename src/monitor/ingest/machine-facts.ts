/** Facts that a machine reports of itself, kept in its record when they differ. */
import type { Log } from "../../kit/observe/log.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { ReportHost } from "../base/report-schema.ts";
import type { MachineFacts as Facts, Servers } from "../fleet/servers.ts";

const MAX_HOSTNAME = 255;
/** An IPv4 or IPv6 address, or another that a custom agent may have. */
const ADDRESS = /^[0-9A-Za-z:.%]{1,64}$/u;
/** Others stay in the latest sample only. */
const KEPT = [
  "os",
  "platform",
  "platformVersion",
  "kernel",
  "arch",
  "virtualization",
  "cpuModel",
  "cpuCores",
  "agentVersion",
  "checkLevel",
  "bootTimeUnixMs",
] as const;

/** One line without control characters: it is shown to the administrator and written to the log. */
export function toHostname(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, MAX_HOSTNAME);
}

function toFacts(host: ReportHost): Record<string, string | number> {
  const facts: Record<string, string | number> = {};
  for (const name of KEPT) {
    const value = host[name];
    if (value !== undefined) facts[name] = value;
  }
  return facts;
}

function isSame(
  a: Readonly<Record<string, unknown>> | undefined,
  b: Readonly<Record<string, unknown>>,
): boolean {
  return a !== undefined && KEPT.every((name) => a[name] === b[name]);
}

export function createMachineFacts(deps: { servers: Servers; publicSnapshot: PublicSnapshot; log: Log }) {
  const { servers, publicSnapshot, log } = deps;
  const waiting = new Map<string, Facts>();

  /** Facts that arrive during a write are written with the next. */
  async function note(id: string, facts: Facts): Promise<void> {
    const isRunning = waiting.has(id);
    waiting.set(id, { ...waiting.get(id), ...facts });
    if (isRunning) return;
    try {
      for (
        let next = waiting.get(id);
        next !== undefined && Object.keys(next).length > 0;
        next = waiting.get(id)
      ) {
        waiting.set(id, {});
        await servers.noteFacts(id, next);
      }
    } catch (error) {
      log.warn("The host information of a machine could not be stored", { server: id, error });
    } finally {
      waiting.delete(id);
    }
  }

  return {
    /** Returns at once; a failed write is logged, and tried again when the machine reports its facts again. */
    noteHello: (id: string, hello: { readonly hostname: string; readonly remoteAddress: string }): void => {
      const hostname = toHostname(hello.hostname);
      const { remoteAddress: peerAddress } = hello;
      const known = publicSnapshot.findRecord(id);
      if (hostname !== known?.hostname || peerAddress !== known.peerAddress)
        void note(id, { hostname, peerAddress });
    },
    noteHost: (id: string, host: ReportHost): void => {
      const known = publicSnapshot.findRecord(id);
      const addresses = host.addresses?.filter((address) => ADDRESS.test(address));
      const isMoved = addresses !== undefined && addresses.join() !== known?.addresses?.join();
      const isChanged = !isSame(known?.host, host);
      if (isChanged || isMoved)
        void note(id, { ...(isChanged ? { host: toFacts(host) } : {}), ...(isMoved ? { addresses } : {}) });
    },
  };
}

export type MachineFacts = ReturnType<typeof createMachineFacts>;
