/**
 * Standings between nodes: the leader tells the others, in full states, so that one that is lost is made good by the
 * next; the others hand it what their agents found.
 */
import { z } from "zod";
import type { Bus } from "../../../bus/bus.ts";
import { probeFaults } from "../../../kit/probes/probe.ts";
import { type CheckStanding, certificateSchema, checkStandingSchema } from "../schema.ts";
import type { ReportedTry } from "../standings.ts";

const TOPICS = { standings: "check-standings", found: "check-found" } as const;
/** Every state is sent again within this many calls of `tell`. */
const CYCLE = 60;
/** Standings of a message: with 51 places and a certificate one has some 60 kB at most. */
const BATCH = 10;

const tellSchema = z.object({ term: z.number(), standings: z.array(checkStandingSchema) });
const foundSchema = z.object({
  serverId: z.string(),
  tries: z.array(
    z.object({
      checkId: z.string(),
      revision: z.number(),
      at: z.number(),
      result: z.object({
        fault: z.enum(probeFaults).optional(),
        latencyMs: z.number().min(0).optional(),
        detail: z.string().max(1_000),
        certificate: certificateSchema.optional(),
      }),
    }),
  ),
});

export interface SharingDeps {
  readonly bus: Bus;
  readonly hasPeers: () => boolean;
  /** The term of this node's lease; undefined while it is not the leader. */
  readonly term: () => number | undefined;
  /** All standings that there are. */
  readonly standings: () => readonly CheckStanding[];
  /** Handles the leader's states. */
  readonly onStanding: (standing: CheckStanding) => void;
  /** Handles the attempts of another node's agent. */
  readonly onTries: (serverId: string, tries: readonly ReportedTry[]) => void;
}

/** Check states that nodes exchange. */
export class Sharing {
  readonly #deps: SharingDeps;
  readonly #changed = new Map<string, CheckStanding>();
  readonly #ends: readonly (() => void)[];
  #term = -Infinity;
  #turn = 0;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
    this.#ends = [
      deps.bus.subscribe(TOPICS.standings, (message) => this.#hear(tellSchema.parse(message))),
      deps.bus.subscribe(TOPICS.found, (message) => {
        const { serverId, tries } = foundSchema.parse(message);
        deps.onTries(serverId, tries);
      }),
    ];
  }

  /** A standing of this node is another now; the others hear of it with the next `tell`. */
  touch(standing: CheckStanding): void {
    this.#changed.set(standing.id, standing);
  }

  /** Publishes changed states, and some of the others in turn; call it every second. */
  tell(): void {
    const { bus, hasPeers, standings } = this.#deps;
    const term = this.#deps.term();
    if (term !== undefined && hasPeers()) {
      this.#turn = (this.#turn + 1) % CYCLE;
      for (const [index, standing] of standings().entries())
        if (index % CYCLE === this.#turn) this.touch(standing);
      const told = [...this.#changed.values()];
      for (let at = 0; at < told.length; at += BATCH)
        bus.publish(TOPICS.standings, { term, standings: told.slice(at, at + BATCH) });
    }
    this.#changed.clear();
  }

  /** Hands the leader what an agent of this node found. */
  hand(serverId: string, tries: readonly ReportedTry[]): void {
    this.#deps.bus.publish(TOPICS.found, { serverId, tries });
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #hear({ term, standings }: z.infer<typeof tellSchema>): void {
    if (this.#deps.term() !== undefined || term < this.#term) return;
    this.#term = term;
    for (const standing of standings) this.#deps.onStanding(standing);
  }
}
