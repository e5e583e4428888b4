/** Checks of the demonstration: what they look at, what was found in their past, and what answers them now. */
import { createServer } from "node:http";
import { once } from "node:events";
import { type CheckInput, checkInputSchema } from "../../../src/monitor/checks/view-schema.ts";
import type { Prober } from "../../../src/monitor/checks/prober.ts";
import type { Ping } from "../../../src/monitor/heartbeats/pings.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Since when the shop is down, at the end of the past. */
const DOWN_MS = 23 * MINUTE_MS;
/** When the backup says that it is done. */
const BACKUP_MS = 3.25 * 3_600_000;
const RUN_MS = 4 * MINUTE_MS;

/** What answers the checks of the demonstration: an address for each, below `url`. */
export interface Targets {
  readonly url: string;
  close(): void;
}

/** Starts it; the shop is out of order. */
export async function startTargets(): Promise<Targets> {
  const server = createServer((request, response) => {
    const isDown = request.url?.startsWith("/shop") === true;
    response.writeHead(isDown ? 503 : 200).end(isDown ? "sold out" : "healthy");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The checks, each over the targets of the demonstration. */
export function listDemoChecks({ url }: Targets): readonly CheckInput[] {
  const { hostname, port } = new URL(url);
  const http = (path: string) => ({ kind: "http", url: url + path });
  return [
    { name: "Website", group: "Public", tags: ["web"], target: http("/"), intervalSeconds: 300 },
    { name: "Shop", group: "Public", tags: ["web"], target: http("/shop/health"), intervalSeconds: 300 },
    {
      name: "API",
      group: "Public",
      tags: ["web", "api"],
      target: http("/api/v1/status"),
      intervalSeconds: 300,
    },
    { name: "Sign-in", group: "Public", target: http("/auth/health"), intervalSeconds: 300 },
    {
      name: "Mail, submission",
      group: "Mail",
      target: { kind: "tcp", host: hostname, port: Number(port) },
      intervalSeconds: 600,
    },
    {
      name: "Mail, web",
      group: "Mail",
      target: { ...http("/mail"), contains: "healthy" },
      intervalSeconds: 600,
    },
    {
      name: "Database must not be reachable",
      group: "Network",
      target: { kind: "tcp", host: hostname, port: 1 },
      inverted: true,
      intervalSeconds: 600,
    },
    {
      name: "Backup of the database",
      group: "Jobs",
      target: { kind: "heartbeat", schedule: { type: "cron", expression: "11 3 * * *" } },
    },
    { name: "Prune images", group: "Jobs", paused: true, target: { kind: "heartbeat" } },
  ].map((check) => checkInputSchema.parse(check));
}

/** A number from 0 to 1 that depends on the texts alone. */
function toShare(...parts: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const character of parts.join(" ")) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  return (hash >>> 0) / 4_294_967_296;
}

/** Whether a target was away in one of its rare outages, of up to an hour and a half on one day of thirty or so. */
function isAway(name: string, nowMs: number): boolean {
  const day = Math.floor(nowMs / DAY_MS);
  if (toShare(name, day) > 0.035) return false;
  const beginsMs = day * DAY_MS + toShare(name, day, "begins") * 0.9 * DAY_MS;
  return nowMs >= beginsMs && nowMs < beginsMs + (10 + 80 * toShare(name, day, "lasts")) * MINUTE_MS;
}

/** Finds in the past what was there then; `endMs` is its end. */
export function createPastProbe({ now, endMs }: { now: () => number; endMs: number }): Prober {
  return async (target) => {
    const nowMs = now();
    const name = JSON.stringify(target);
    if (target.kind === "tcp" && target.port === 1) return { fault: "refused", detail: "ECONNREFUSED" };
    const isShop = target.kind === "http" && target.url.includes("/shop");
    if (isShop && nowMs > endMs - DOWN_MS)
      return { fault: "status", detail: "503 Service Unavailable", latencyMs: 18 };
    if (isAway(name, nowMs)) return { fault: "timeout", detail: "No response within 10 s" };
    const wave = Math.sin((2 * Math.PI * nowMs) / DAY_MS) + toShare(name, nowMs);
    const latencyMs = 30 + 60 * toShare(name) + 12 * wave + (toShare(nowMs, name) > 0.99 ? 240 : 0);
    return { detail: target.kind === "http" ? "200 OK" : "Connected", latencyMs };
  };
}

/** The pings of the backup between two moments, with when each came. */
export function listPings(fromMs: number, toMs: number): readonly Ping[] {
  const dayMs = Math.floor(toMs / DAY_MS) * DAY_MS;
  const sender = { rid: "", isCut: false, clientAddress: "192.0.2.7", userAgent: "curl/8.14.1" };
  const isDue = (atMs: number): boolean => atMs > fromMs && atMs <= toMs;
  const begun: Ping = { ...sender, signal: "start", method: "GET", text: "" };
  const gigabytes = (11 + 2 * toShare(dayMs)).toFixed(1);
  const done: Ping = {
    ...sender,
    signal: "success",
    exitStatus: 0,
    method: "POST",
    text: `Backup of ${gigabytes} GB`,
  };
  return [...(isDue(dayMs + BACKUP_MS - RUN_MS) ? [begun] : []), ...(isDue(dayMs + BACKUP_MS) ? [done] : [])];
}
