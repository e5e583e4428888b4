/** A monitor with checks whose targets answer what a test says. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProbeResult } from "../../../src/kit/probes/probe.ts";
import type { Target } from "../../../src/kit/probes/targets.ts";
import type { CheckOptions } from "../../../src/monitor/app/check-parts.ts";
import type { Store } from "../../../src/store/store.ts";
import type { FixedClock } from "../../support/fixed-clock.ts";
import { type TestApp, type TestSampleLog, createTestApp } from "../app-fixture.ts";
// After the fixture, which loads the documents' additions to zod before any schema is made.
import { checkInputSchema } from "../../../src/monitor/checks/view-schema.ts";
import { type CheckRecord, CENTER } from "../../../src/monitor/checks/schema.ts";
import { actor } from "../fixtures.ts";

export const OK: ProbeResult = { detail: "200 OK", latencyMs: 12 };
export const TIMEOUT: ProbeResult = { fault: "timeout", detail: "No answer in time" };
export const REFUSED: ProbeResult = { fault: "refused", detail: "ECONNREFUSED" };

function hostOf(target: Target): string {
  return "host" in target ? target.host : "";
}

/** The requests, and the response of each host; unlisted ones respond well. */
export class Targets {
  readonly answers = new Map<string, ProbeResult | "never">();
  readonly asked: string[] = [];
  /** Tries that run now, and the most there were at once. */
  running = 0;
  most = 0;
  #held: (() => void)[] = [];
  isHolding = false;

  readonly probe: NonNullable<CheckOptions["probe"]> = async (target, { signal }) => {
    const host = hostOf(target);
    this.asked.push(host);
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    if (this.isHolding)
      await new Promise<void>((resolve) => {
        this.#held.push(resolve);
        signal.addEventListener("abort", () => resolve());
      });
    const answer = this.answers.get(host) ?? OK;
    if (answer === "never") return new Promise(() => undefined);
    this.running -= 1;
    return answer;
  };

  release(): void {
    this.isHolding = false;
    for (const go of this.#held.splice(0)) go();
  }

  take(): string[] {
    return this.asked.splice(0);
  }
}

export interface CheckBench {
  readonly app: TestApp;
  readonly clock: FixedClock;
  readonly targets: Targets;
  /** What waits for its time by `defer`. */
  readonly deferred: Set<() => void>;
  make(name: string, more?: object): Promise<CheckRecord>;
  /** Lets time pass second by second, with all that is due. */
  pass(seconds: number): Promise<void>;
  stateOf(id: string): string | undefined;
  centerOf(id: string): { isDown: boolean; failures: number; detail: string } | undefined;
}

/** Lets all that needs no time happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

export async function createCheckBench(
  options: {
    store?: Store;
    clock?: FixedClock;
    samples?: TestSampleLog;
    checking?: CheckOptions;
    bus?: Parameters<typeof createTestApp>[0] extends infer O
      ? O extends { bus?: infer B }
        ? B
        : never
      : never;
  } = {},
): Promise<CheckBench> {
  const targets = new Targets();
  const deferred = new Set<() => void>();
  const { checking, ...rest } = options;
  const app = await createTestApp({
    ...rest,
    checking: {
      probe: targets.probe,
      random: () => 0.5,
      resolve: async (host) => [host],
      defer: (work) => {
        deferred.add(work);
        return () => deferred.delete(work);
      },
      ...checking,
    },
  });
  const { monitor, clock } = app;
  const { checkWatch, checks, checkDirectory } = monitor;
  await checkWatch.tick();
  return {
    app,
    clock,
    targets,
    deferred,
    make: async (name, more = {}) => {
      const target = { kind: "tcp", host: "192.0.2.1", port: 80 };
      const record = await checks.create(checkInputSchema.parse({ name, target, ...more }), { actor });
      await checkWatch.tick();
      await settle();
      return record;
    },
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await checkWatch.tick();
        await settle();
        await checkWatch.keep();
      }
    },
    stateOf: (id) => checkDirectory.findStanding(id)?.state,
    centerOf: (id) => checkDirectory.findStanding(id)?.places.find(({ place }) => place === CENTER),
  };
}

export function tcp(host: string): { readonly target: object } {
  return { target: { kind: "tcp", host, port: 80 } };
}
