/** Requests of people: paced, counted by kind, and checked. */
import type { z } from "zod";
import { createLatencies, type Latencies } from "../fleet/latencies.ts";

/** A kind of request between two looks. */
export interface KindCounts {
  readonly kind: string;
  readonly answered: number;
  readonly failed: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Statuses that are right. Default 200. */
  readonly expect?: readonly number[];
}

export interface Calls {
  /** Sends a request and reads its answer. @throws Error when it fails or its status is another */
  send(kind: string, url: string, options?: CallOptions): Promise<unknown>;
  /** Reads an answer of {@link Calls.send} by its schema. @throws Error when it has another form, which counts as failed */
  read<T>(kind: string, schema: z.ZodType<T>, answer: unknown): T;
  /** Counts since the call before. */
  take(): KindCounts[];
  /** Examples of failures, a few. */
  readonly examples: readonly string[];
}

const TIMEOUT_MS = 30_000;
const MAX_EXAMPLES = 10;

interface Tally {
  answered: number;
  failed: number;
  latencies: Latencies;
}

function emptyTally(): Tally {
  return { answered: 0, failed: 0, latencies: createLatencies() };
}

/** Creates a counter of requests. */
export function createCalls(): Calls {
  const tallies = new Map<string, Tally>();
  const examples: string[] = [];

  function tallyOf(kind: string): Tally {
    const known = tallies.get(kind) ?? emptyTally();
    tallies.set(kind, known);
    return known;
  }

  function fail(kind: string, reason: string): never {
    tallyOf(kind).failed += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(`${kind}: ${reason}`);
    throw new Error(`${kind}: ${reason}`);
  }

  return {
    send: async (kind, url, { method = "GET", headers = {}, body, expect = [200] } = {}) => {
      const startMs = performance.now();
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => fail(kind, String(error)));
      const text = await response.text().catch((error: unknown) => fail(kind, String(error)));
      if (!expect.includes(response.status)) fail(kind, `${response.status} ${text.slice(0, 160)}`);
      const tally = tallyOf(kind);
      tally.answered += 1;
      tally.latencies.add(performance.now() - startMs);
      try {
        const answer: unknown = text === "" ? undefined : JSON.parse(text);
        return answer;
      } catch {
        return fail(kind, `no JSON: ${text.slice(0, 160)}`);
      }
    },
    read: (kind, schema, answer) => {
      const parsed = schema.safeParse(answer);
      if (!parsed.success) return fail(kind, `another form: ${JSON.stringify(answer)?.slice(0, 160)}`);
      return parsed.data;
    },
    take: () => {
      const taken = [...tallies].map(([kind, { answered, failed, latencies }]) => ({
        kind,
        answered,
        failed,
        p50: latencies.quantile(0.5),
        p99: latencies.quantile(0.99),
        p999: latencies.quantile(0.999),
      }));
      for (const kind of tallies.keys()) tallies.set(kind, emptyTally());
      return taken;
    },
    examples,
  };
}

/** Work that is begun so often a second, at most `atOnce` of it at a time. */
export interface PacedWork {
  readonly perSecond: number;
  readonly atOnce: number;
  /** What it throws is counted by {@link Calls} already. */
  readonly run: () => Promise<void>;
}

/** Begins works at their pace; returns what ends that and waits for what is under way. */
export function pace(works: readonly PacedWork[]): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const timers = works.map(({ perSecond, atOnce, run }) => {
    let own = 0;
    return setInterval(
      () => {
        if (own >= atOnce) return;
        own += 1;
        const done: Promise<void> = run()
          .catch(() => undefined)
          .finally(() => {
            own -= 1;
            running.delete(done);
          });
        running.add(done);
      },
      Math.max(1, 1_000 / perSecond),
    );
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}
