/**
 * Load on any of the three services that goes on over all lives of a program: agents and a viewer, people, buyers
 * with their payment service.
 */
import { join } from "node:path";
import { textOf } from "../../../src/kit/thrown.ts";
import type { ServiceName } from "../../../src/kit/services.ts";
import { ADMIN_TOKEN, createKillLoad } from "../../shop/kill-load.ts";
import { createPingLoad } from "../../monitor/heartbeats/ping-load.ts";
import { type FleetResult, runFleet } from "../fleet/run.ts";
import { prepareServers } from "../fleet/servers.ts";
import { verifyFleet } from "../fleet/verify.ts";
import { createAuthLoad } from "./auth-load.ts";
import type { Subject } from "./subject.ts";

/** What is wrong, and what was acknowledged. */
export interface Books {
  readonly acknowledged: string;
  readonly problems: readonly string[];
}

export interface Traffic {
  /** Creates what the load needs; in the first life. */
  prepare(): Promise<void>;
  /** Begins; it goes on while the program is away. */
  start(): void;
  /** Whether anything was acknowledged yet. */
  isUnderWay(): Promise<boolean>;
  /** Ends the load; the program must run, so that agents can hand in what waits. Gives what failed and should not have. */
  stop(): Promise<void>;
  /** Compares the books of all with what the program tells. */
  audit(): Promise<Books>;
}

const AGENTS = 8;
/** Half of what the monitor takes for long, so that what waited is made up for. */
const INTERVAL_MS = 200;
const PEOPLE = 4;
const BUYERS = 4;
const KEYS = 10_000;
const HEARTBEATS = 100;
const PING_STEP_MS = 50;

/** How agents reach the monitor, when not straight. */
export interface MonitorTrafficOptions {
  readonly agents?: number;
  readonly intervalMs?: number;
  readonly viewers?: number;
  readonly address?: string;
}

/** Agents and a viewer; `result` is there once it has stopped. */
export interface MonitorTraffic extends Traffic {
  result(): FleetResult | undefined;
}

/** A fleet on the monitor. */
export function createMonitorTraffic(subject: Subject, options: MonitorTrafficOptions = {}): MonitorTraffic {
  const stopping = new AbortController();
  let running: Promise<FleetResult> | undefined;
  let result: FleetResult | undefined;
  const { agents = AGENTS } = options;
  const keysFile = join(subject.folder, "fleet-keys.json");
  return {
    prepare: async () => {
      const url = subject.url("monitor");
      await prepareServers({ count: agents, url, adminToken: ADMIN_TOKEN, keysFile });
    },
    start: () => {
      running = runFleet({
        agents,
        keysFile,
        seconds: 3_600,
        intervalMs: options.intervalMs ?? INTERVAL_MS,
        viewers: options.viewers ?? 1,
        server: options.address ?? subject.grpc(),
        url: subject.url("monitor"),
        adminToken: ADMIN_TOKEN,
        mode: "delta",
        connections: 2,
        signal: stopping.signal,
      });
      running.catch(() => undefined); // told by stop
    },
    isUnderWay: async () => {
      const headers = { "x-admin-token": ADMIN_TOKEN };
      const response = await fetch(`${subject.url("monitor")}/metrics`, { headers });
      return /trivet_reports_total\{result="stored"\} [1-9]/u.test(await response.text());
    },
    stop: async () => {
      stopping.abort();
      result = await running;
    },
    audit: async () => {
      if (result === undefined) return { acknowledged: "0 reports", problems: ["the fleet did not stop"] };
      const { acknowledged, accounts, lost, waiting, viewers } = result;
      const url = subject.url("monitor");
      const { missing, surplus } = await verifyFleet({ url, adminToken: ADMIN_TOKEN, accounts });
      // What still waits for its acknowledgement may be stored already.
      const counts = { missing, "stored twice": surplus - waiting };
      const others = { "given up": lost, "malformed in the feed": viewers.malformed };
      const problems = Object.entries({ ...counts, ...others })
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} reports ${name}`);
      if (acknowledged === 0) problems.push("no report was acknowledged");
      return { acknowledged: `${acknowledged} reports`, problems };
    },
    result: () => result,
  };
}

/** Work that goes on until it is stopped. */
function createRunner(go: (isOver: () => boolean) => Promise<unknown>): Pick<Traffic, "start" | "stop"> {
  let isOver = false;
  let running: Promise<unknown> | undefined;
  return {
    start: () => {
      running = go(() => isOver);
      running.catch(() => undefined); // told by stop
    },
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

function createAuthTraffic(subject: Subject): Traffic {
  const load = createAuthLoad({ people: PEOPLE });
  return {
    ...createRunner((isOver) => load.go(subject.url("auth"), isOver)),
    prepare: () => load.prepare(subject.url("auth")),
    isUnderWay: async () => load.counts().changes > 0,
    audit: async () => {
      const problems = await load.verify(subject.url("auth"));
      const { accounts, refreshes, changes } = load.counts();
      if (refreshes === 0) problems.push("no token was renewed");
      return { acknowledged: `${accounts} accounts, ${refreshes} renewals, ${changes} changes`, problems };
    },
  };
}

function createShopTraffic(subject: Subject): Traffic {
  const load = createKillLoad({ buyers: BUYERS, most: KEYS, hasStaff: true });
  return {
    ...createRunner((isOver) => load.go(subject.url("shop"), isOver)),
    prepare: () => load.prepare(subject.url("shop")),
    isUnderWay: async () => load.counts().notices > 0,
    audit: async () => {
      const { orders, notices } = load.counts();
      const problems: string[] = [];
      await load.verify(subject.url("shop")).catch((error: unknown) => problems.push(textOf(error)));
      if (notices === 0) problems.push("no payment was acknowledged");
      return { acknowledged: `${orders} orders, ${notices} payments`, problems };
    },
  };
}

/** Jobs that tell the monitor that they live. */
function createPingTraffic(subject: Subject): Traffic {
  const load = createPingLoad({ heartbeats: HEARTBEATS, token: ADMIN_TOKEN, stepMs: PING_STEP_MS });
  return {
    ...createRunner((isOver) => load.go(subject.url("monitor"), isOver)),
    prepare: () => load.prepare(subject.url("monitor")),
    isUnderWay: async () => load.acknowledged() > 0,
    audit: async () => {
      const problems: string[] = [];
      await load.verify(subject.url("monitor")).catch((error: unknown) => problems.push(textOf(error)));
      if (load.acknowledged() === 0) problems.push("no ping was acknowledged");
      return { acknowledged: `${load.acknowledged()} pings`, problems };
    },
  };
}

const makers: Readonly<Record<ServiceName, readonly ((subject: Subject) => Traffic)[]>> = {
  monitor: [createMonitorTraffic, createPingTraffic],
  auth: [createAuthTraffic],
  shop: [createShopTraffic],
};

/** Load on these services at once; `prepare` after the first start. */
export function createTraffic(subject: Subject, services: readonly ServiceName[]): Traffic {
  const all = services.flatMap((service) => makers[service].map((make) => make(subject)));
  return {
    prepare: async () => {
      for (const each of all) await each.prepare();
    },
    start: () => {
      for (const each of all) each.start();
    },
    isUnderWay: async () => {
      const answers = await Promise.all(all.map((each) => each.isUnderWay()));
      return answers.every(Boolean);
    },
    stop: async () => {
      await Promise.all(all.map((each) => each.stop()));
    },
    audit: async () => {
      const books: Books[] = [];
      for (const each of all) books.push(await each.audit());
      return {
        acknowledged: books.map(({ acknowledged }) => acknowledged).join("; "),
        problems: books.flatMap(({ problems }) => problems),
      };
    },
  };
}

/** What was found, in words. */
export function toFound(problems: readonly string[]): string {
  return problems.length === 0 ? "0 lost, none twice" : problems.slice(0, 4).join("; ");
}
