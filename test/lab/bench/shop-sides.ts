/** The sides of the shop's benchmarks: each does the same kinds of work and says what it cost. */
import type { SideResult } from "./auth-sides.ts";
import type { LoadOptions, LoadResult } from "./load.ts";
import { type Effort, median } from "./measure.ts";
import type { ProcessUsage } from "./peer-process.ts";

export type { SideResult } from "./auth-sides.ts";

/**
 * Kinds of work: page 1 of the catalogue, all kinds of its pages and searches, a search for two words, pages of the
 * storefront as browsers get them, an order, a payment notice.
 */
export type ShopWork = "page" | "pages" | "search" | "storefront" | "checkout" | "webhook";

/** How a load of one kind is sent. */
export type ShopLoad = Pick<LoadOptions, "connections" | "seconds" | "warmupSeconds">;

/** What a side did in one round; of requests or, where it takes several, of whole orders. */
export type ShopResult = Pick<LoadResult, "perSecond" | "p50Ms" | "p99Ms" | "clientCpuShare" | "statuses">;

/** A server that does the work. */
export interface ShopSide {
  readonly name: string;
  /** @throws when an answer was not a success */
  run(work: ShopWork, load: ShopLoad): Promise<ShopResult>;
  usage(): Promise<Pick<ProcessUsage, "cpuMicroseconds" | "rssBytes">>;
  stop(): Promise<void>;
}

/** A side with the kind of work that it does in its turn. */
export interface Turn {
  readonly side: ShopSide;
  readonly work: ShopWork;
}

async function measureOnce({ side, work }: Turn, load: ShopLoad): Promise<SideResult> {
  const before = await side.usage();
  const result = await side.run(work, load);
  const after = await side.usage();
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0); // also of the warm-up
  return { ...result, cpuMicrosecondsEach: (after.cpuMicroseconds - before.cpuMicroseconds) / answers };
}

/** Medians of rounds. */
export function toMedians(rounds: readonly SideResult[]): SideResult {
  const of = (name: keyof SideResult): number => median(rounds.map((round) => round[name]));
  return {
    perSecond: of("perSecond"),
    p50Ms: of("p50Ms"),
    p99Ms: of("p99Ms"),
    clientCpuShare: of("clientCpuShare"),
    cpuMicrosecondsEach: of("cpuMicrosecondsEach"),
  };
}

/** A program that has just started takes this long until its code is compiled: an order costs half of it then. */
const COLD_SECONDS = 10;

/** One round on a side that has just started. */
export function runColdRound(turn: Turn, { connections, seconds }: ShopLoad): Promise<SideResult> {
  return measureOnce(turn, { connections, seconds, warmupSeconds: COLD_SECONDS });
}

/** Runs the turns one after the other, `rounds` times, after a warm-up; the results are in their order. */
export async function runInTurn<T extends readonly Turn[]>(
  turns: T,
  { connections, effort }: { connections: number; effort: Effort },
): Promise<{ -readonly [K in keyof T]: SideResult }> {
  const results = turns.map((): SideResult[] => []);
  for (const { side, work } of turns) await side.run(work, { connections, seconds: COLD_SECONDS });
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, turn] of turns.entries())
      results[index]?.push(
        await measureOnce(turn, { connections, seconds: effort.seconds, warmupSeconds: 0.5 }),
      );
  }
  // One result a turn: the tuple of the results is as long as that of the turns.
  return results.map(toMedians) as { -readonly [K in keyof T]: SideResult };
}

/** Starts sides, uses them, and stops all that were started. */
export async function withSides<S extends readonly ShopSide[], R>(
  starts: { readonly [K in keyof S]: () => Promise<S[K]> },
  use: (sides: S) => Promise<R>,
): Promise<R> {
  const sides: ShopSide[] = [];
  try {
    for (const start of starts) sides.push(await start());
    return await use(sides as readonly ShopSide[] as S); // one side a start, in their order
  } finally {
    for (const side of sides) await side.stop();
  }
}
