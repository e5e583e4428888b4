/**
 * Which processes of a service are alive: each renews a record in the store, and the others watch its version by
 * their own monotonic clocks. No two clocks are ever compared.
 */
import { z } from "zod";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../kit/time/clock.ts";
import { listEvery } from "../store/every-page.ts";
import { type ReadTx, type Store, defineCollection } from "../store/store.ts";

/** A record for each process that runs, or was killed a moment ago; its version grows with each renewal. */
export const nodeLeases = defineCollection({
  name: "nodeLeases",
  revision: 1,
  schema: z.object({
    /** Name of this start of the process on the bus. */
    id: z.string(),
    version: z.number().int(),
    /** Whether its messages reach the others. */
    isConnected: z.boolean(),
  }),
});

const RENEW_MS = 2_000;
/** A process that could not renew for this long no longer relies on its lease, before others consider it dead. */
const HOLD_MS = 5_000;
/** A record that has not changed for this long belongs to a dead process. */
const DEAD_MS = 6_000;
/** A process that could not look for this long starts its watch again. */
const UNWATCHED_MS = 3_000;

interface Seen {
  readonly version: number;
  readonly isConnected: boolean;
  /** Since when it has not changed, monotonic milliseconds of this process. */
  readonly sinceMs: number;
}

export interface NodeLeasesDeps {
  readonly store: Store;
  readonly bus: Pick<Bus, "node" | "isConnected">;
  readonly clock: Pick<Clock, "monotonic">;
}

/** The lease of this process, and its view of the others'. */
export class NodeLeases {
  readonly #deps: NodeLeasesDeps;
  #others: ReadonlyMap<string, Seen> = new Map();
  /** When the last renewal began, monotonic milliseconds. */
  #renewedMs = -Infinity;
  #watchedMs = -Infinity;
  #wasConnected = false;

  constructor(deps: NodeLeasesDeps) {
    this.#deps = deps;
  }

  /** Whether no other process can take this one for dead yet. */
  get isHeld(): boolean {
    return this.#deps.clock.monotonic() - this.#renewedMs < HOLD_MS;
  }

  /** Names of the other processes that are alive. */
  list(): readonly string[] {
    return [...this.#others.keys()].filter((node) => this.has(node));
  }

  /** Whether another process is alive. */
  has(node: string): boolean {
    const { sinceMs = -Infinity } = this.#others.get(node) ?? {};
    return this.#deps.clock.monotonic() - sinceMs < DEAD_MS;
  }

  /** Whether another process is alive and its messages arrive. */
  isReachable(node: string): boolean {
    return this.has(node) && this.#others.get(node)?.isConnected === true;
  }

  /** When another process last gave a sign of life, monotonic milliseconds; undefined for one that has left. */
  findSignMs(node: string): number | undefined {
    return this.#others.get(node)?.sinceMs;
  }

  /** Renews when it is time, and looks at the others; call it every second. Throws what the store throws. */
  async tick(): Promise<void> {
    const { store, bus, clock } = this.#deps;
    const nowMs = clock.monotonic();
    if (nowMs - this.#renewedMs >= RENEW_MS || bus.isConnected !== this.#wasConnected) await this.renew();
    const records = await store.read((tx) => listEvery(tx, nodeLeases, { index: "id" }));
    const isUnwatched = nowMs - this.#watchedMs >= UNWATCHED_MS;
    this.#watchedMs = nowMs;
    const others = records.filter(({ id }) => id !== bus.node);
    this.#others = new Map(
      others.map(({ id, version, isConnected }) => {
        const seen = isUnwatched ? undefined : this.#others.get(id);
        return [id, { version, isConnected, sinceMs: seen?.version === version ? seen.sinceMs : nowMs }];
      }),
    );
  }

  /** Renews the lease of this process. */
  async renew(): Promise<void> {
    const { store, bus, clock } = this.#deps;
    const { node: id, isConnected } = bus;
    const nowMs = clock.monotonic();
    await store.transact(async (tx) => {
      const own = await tx.get(nodeLeases, id);
      if (own === undefined) await tx.insert(nodeLeases, { id, isConnected });
      else await tx.put(nodeLeases, { ...own, isConnected });
    });
    this.#renewedMs = nowMs;
    this.#wasConnected = isConnected;
  }

  /** Whether a process has not renewed since it was looked at; a transaction that takes from it must ask. */
  async isStill(tx: ReadTx, node: string): Promise<boolean> {
    return (await tx.get(nodeLeases, node))?.version === this.#others.get(node)?.version;
  }

  /** Removes the records of dead processes; `isDead`: whether one that does not renew is. */
  async sweep(isDead: (node: string) => boolean = () => true): Promise<void> {
    const dead = [...this.#others.keys()].filter((node) => !this.has(node) && isDead(node));
    if (dead.length === 0) return;
    await this.#deps.store.transact(async (tx) => {
      for (const node of dead) if (await this.isStill(tx, node)) await tx.remove(nodeLeases, node);
    });
  }

  /** Leaves: the others need not wait. */
  async release(): Promise<void> {
    const { store, bus } = this.#deps;
    this.#renewedMs = -Infinity;
    await store.transact((tx) => tx.remove(nodeLeases, bus.node));
  }
}
