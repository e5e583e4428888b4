/** Load on all three services at once that touches all that they acknowledge, and its books. */
import { textOf } from "../../../../src/kit/thrown.ts";
import { ADMIN_TOKEN, createKillLoad } from "../../../shop/kill-load.ts";
import { createPingLoad } from "../../../monitor/heartbeats/ping-load.ts";
import { createAuthLoad } from "../auth-load.ts";
import type { Surroundings } from "../case.ts";
import type { Subject } from "../subject.ts";
import { createMonitorTraffic } from "../traffic.ts";
import type { ServiceName } from "../../../../src/kit/services.ts";
import { createPagePeople } from "./page-people.ts";
import { createPaidServices, serviceEnv } from "./paid-services.ts";
import { createStatusLoad, startStatusWorld, toStatusEnv } from "./status.ts";
import { createStorefront } from "./storefront.ts";
import type { Load } from "./load.ts";

/** Sales of each kind at most in one batch of lives. */
const MOST = 6_000;

/** A load and the service that it goes to. */
type Placed = readonly [service: ServiceName, load: Load];

export interface Everything {
  readonly env: Readonly<Record<string, string>>;
  /** In the first life. */
  prepare(subject: Subject): Promise<void>;
  start(): void;
  /** Whether agents are back: a life without them is shorter than any fault. */
  isUnderWay(): Promise<boolean>;
  /** The program must run. Throws what went wrong under load. */
  stop(): Promise<void>;
  /** Compares all books with what the program tells. */
  audit(): Promise<string[]>;
  /** Once the program has ended. */
  settle(databaseUrl: string | undefined): Promise<string[]>;
  /** Changes that were acknowledged, by what they are. */
  counts(): Readonly<Record<string, number>>;
}

function toBuyers(): Load {
  const load = createKillLoad({ buyers: 3, most: MOST, stepMs: 150, hasStaff: true });
  return {
    ...load,
    verify: (url) =>
      load.verify(url).then(
        () => [],
        (error: unknown) => [textOf(error)],
      ),
    counts: () => {
      const { orders, notices } = load.counts();
      return { orders, payments: notices };
    },
  };
}

function toJobs(): Load {
  const load = createPingLoad({ heartbeats: 100, token: ADMIN_TOKEN, stepMs: 1_000 });
  return {
    ...load,
    verify: (url) =>
      load.verify(url).then(
        () => [],
        (error: unknown) => [textOf(error)],
      ),
    counts: () => ({ pings: load.acknowledged() }),
  };
}

function toAccounts(): Load {
  const load = createAuthLoad({ people: 3, stepMs: 200 });
  return {
    ...load,
    counts: () => {
      const { accounts, refreshes, changes } = load.counts();
      return { accounts, renewals: refreshes, "changes of profiles": changes };
    },
  };
}

/** Creates the load; its fakes stop with the part. */
export async function createEverything(around: Surroundings): Promise<Everything> {
  const world = await startStatusWorld(around);
  const paid = await createPaidServices(around, { count: 3, stepMs: 150, most: MOST });
  const loads: readonly Placed[] = [
    ["monitor", toJobs()],
    ["monitor", createStatusLoad({ count: 1, stepMs: 800 }, world)],
    ["auth", toAccounts()],
    ["auth", createPagePeople({ count: 2, stepMs: 250 })],
    // First the one that sets the site.
    ["shop", toBuyers()],
    ["shop", createStorefront({ count: 2, stepMs: 200 }, { most: MOST })],
    ["shop", paid],
  ];
  let subject: Subject | undefined;
  let fleet: ReturnType<typeof createMonitorTraffic> | undefined;
  let isOver = false;
  let going: Promise<unknown>[] = [];
  const toUrl = (service: ServiceName): string => subject?.url(service) ?? "";
  return {
    env: { ...toStatusEnv(world), ...serviceEnv },
    prepare: async (given) => {
      subject = given;
      fleet = createMonitorTraffic(given, { agents: 4, intervalMs: 1_000 });
      await fleet.prepare();
      for (const [service, load] of loads) await load.prepare(toUrl(service));
    },
    start: () => {
      fleet?.start();
      going = loads.map(([service, load]) => load.go(toUrl(service), () => isOver));
      for (const one of going) one.catch(() => undefined); // told by stop
    },
    isUnderWay: async () => (await fleet?.isUnderWay()) === true,
    stop: async () => {
      isOver = true;
      await Promise.all([...going, fleet?.stop()]);
    },
    audit: async () => {
      const problems = [...((await fleet?.audit())?.problems ?? [])];
      for (const [service, load] of loads) problems.push(...(await load.verify(toUrl(service))));
      return problems;
    },
    settle: (databaseUrl) => paid.settle({ dataDir: subject?.dataDir ?? "", databaseUrl }),
    counts: () =>
      Object.assign(
        { reports: fleet?.result()?.acknowledged ?? 0 },
        ...loads.map(([, load]) => load.counts()),
      ),
  };
}
