/**
 * Other activity, a little of everything that is stored: people buy and sign in on the pages and pay at payment
 * providers, jobs ping, checks run, and a status page notifies its followers. At the end everything that was
 * acknowledged is read.
 */
import { createPingLoad } from "../../monitor/heartbeats/ping-load.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import type { ServiceName } from "../../../src/kit/services.ts";
import { createPagePeople } from "../chaos/loads/page-people.ts";
import { createPaidServices, serviceEnv } from "../chaos/loads/paid-services.ts";
import type { Load } from "../chaos/loads/load.ts";
import { createStatusLoad, startStatusWorld, toStatusEnv } from "../chaos/loads/status.ts";
import { createStorefront } from "../chaos/loads/storefront.ts";

const MOST = 8_000;

export interface Beside {
  /** What the services need to reach the stand-ins. */
  readonly env: Readonly<Record<string, string>>;
  /** Begins; once the other load has set what it needs. */
  start(urls: Readonly<Record<ServiceName, string>>): void;
  /** Records that it made so far. */
  readonly records: number;
  /** What was acknowledged so far, by what it is. */
  counts(): Readonly<Record<string, number>>;
  /** Ends it; gives what was refused, lost or doubled. */
  stop(): Promise<string[]>;
  close(): Promise<void>;
}

function toJobs(): Load {
  const load = createPingLoad({ heartbeats: 100, token: ADMIN_TOKEN, stepMs: 3_000 });
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

/** Starts the stand-ins: a mail server, payment services, a target of checks. */
export async function createBeside(): Promise<Beside> {
  const clears: (() => unknown)[] = [];
  const around = { onEnd: (clear: () => unknown) => void clears.push(clear) };
  const world = await startStatusWorld(around);
  const loads: readonly (readonly [ServiceName, Load])[] = [
    ["monitor", toJobs()],
    ["monitor", createStatusLoad({ count: 1, stepMs: 5_000 }, world)],
    ["auth", createPagePeople({ count: 2, stepMs: 2_000 })],
    ["shop", createStorefront({ count: 2, stepMs: 2_000 }, { most: MOST })],
    ["shop", await createPaidServices(around, { count: 2, stepMs: 2_000, most: MOST })],
  ];
  let urls: Readonly<Record<ServiceName, string>> = { monitor: "", auth: "", shop: "" };
  let isOver = false;
  let going: Promise<number> = Promise.resolve(0);

  async function go(): Promise<number> {
    for (const [service, load] of loads) await load.prepare(urls[service]);
    const refused = await Promise.all(loads.map(([service, load]) => load.go(urls[service], () => isOver)));
    return refused.reduce((sum, count) => sum + count, 0);
  }
  const counts = (): Record<string, number> => Object.assign({}, ...loads.map(([, load]) => load.counts()));

  return {
    env: { ...toStatusEnv(world), ...serviceEnv },
    start: (given) => {
      urls = given;
      going = go();
      going.catch(() => undefined); // told by stop
    },
    get records() {
      return Object.values(counts()).reduce((sum, count) => sum + count, 0);
    },
    counts,
    stop: async () => {
      isOver = true;
      const problems: string[] = [];
      const refused = await going.catch((error: unknown) => void problems.push(textOf(error)));
      if (refused !== undefined && refused > 0)
        problems.push(`${refused} requests got no answer or a refusal`);
      for (const [service, load] of loads)
        problems.push(...(await load.verify(urls[service]).catch((error: unknown) => [textOf(error)])));
      return problems;
    },
    close: async () => {
      for (let clear = clears.pop(); clear !== undefined; clear = clears.pop()) await clear();
    },
  };
}
