/**
 * Standings between nodes: the leader tells the others, in full states, so that one that is lost is made good by the
 * next; the others hand it what their agents found.
 */
import { z } from "zod";
import type { Bus } from "../../../bus/bus.ts";
import { probeFaults } from "../../../kit/probes/probe.ts";
import { type CheckStanding, certificateSchema, checkFaults, checkStandingSchema } from "../schema.ts";
import type { Judgement, ReportedTry } from "../standings.ts";

const TOPICS = { standings: "check-standings", found: "check-found" } as const;
/** Every standing is told again within so many calls of `tell`. */
const CYCLE = 60;
/** Characters of a message, about; far below what a bus takes. */
const CHUNK_CHARS = 200_000;

const tellSchema = z.object({ term: z.number(), standings: z.array(checkStandingSchema) });
const resultSchema = z.object({
  fault: z.enum(probeFaults).optional(),
  latencyMs: z.number().min(0).optional(),
  detail: z.string().max(1_000),
  certificate: certificateSchema.optional(),
});
const foundSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("tries"),
    serverId: z.string(),
    tries: z.array(
      z.object({ checkId: z.string(), revision: z.number(), at: z.number(), result: resultSchema }),
    ),
  }),
  z.object({
    type: z.literal("judgement"),
    checkId: z.string(),
    judgement: z.object({
      state: z.enum(["up", "down", "unknown"]),
      fault: z.enum(checkFaults).optional(),
      detail: z.string(),
      at: z.number(),
      latencyMs: z.number().optional(),
    }),
  }),
]);

export interface SharingDeps {
  readonly bus: Bus;
  readonly hasPeers: () => boolean;
  /** The term of this node's lease; undefined while it is not the leader. */
  readonly term: () => number | undefined;
  /** All standings that there are. */
  readonly standings: () => readonly CheckStanding[];
  /** Takes what the leader tells. */
  readonly onStanding: (standing: CheckStanding) => void;
  /** Takes what an agent of another node found. */
  readonly onTries: (serverId: string, tries: readonly ReportedTry[]) => void;
  readonly onJudgement: (checkId: string, judgement: Judgement) => void;
}

/** What this node tells and hears. */
export class Sharing {
  readonly #deps: SharingDeps;
  readonly #changed = new Map<string, CheckStanding>();
  readonly #ends: (() => void)[] = [];
  #term = -Infinity;
  #turn = 0;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
    const { bus } = deps;
    if (!bus.isShared) return;
    this.#ends.push(
      bus.subscribe(TOPICS.standings, (message) => this.#hear(tellSchema.parse(message))),
      bus.subscribe(TOPICS.found, (message) => this.#takeFound(foundSchema.parse(message))),
    );
  }

  /** A standing of this node is another now; the others hear of it with the next `tell`. */
  touch(standing: CheckStanding): void {
    if (this.#deps.bus.isShared) this.#changed.set(standing.id, standing);
  }

  /** Tells what changed, and some of the rest in turn; call it every second. */
  tell(): void {
    const { bus, hasPeers, term, standings } = this.#deps;
    const held = term();
    if (!bus.isShared || held === undefined || !hasPeers()) {
      this.#changed.clear();
      return;
    }
    const all = standings();
    this.#turn = (this.#turn + 1) % CYCLE;
    for (let at = this.#turn; at < all.length; at += CYCLE) {
      const standing = all[at];
      if (standing !== undefined) this.#changed.set(standing.id, standing);
    }
    this.#publish(held, [...this.#changed.values()]);
    this.#changed.clear();
  }

  /** Hands the leader what an agent of this node found. */
  handTries(serverId: string, tries: readonly ReportedTry[]): void {
    this.#hand({ type: "tries", serverId, tries: [...tries] });
  }

  handJudgement(checkId: string, judgement: Judgement): void {
    this.#hand({ type: "judgement", checkId, judgement });
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #hand(message: unknown): void {
    const { bus } = this.#deps;
    if (bus.isShared && bus.isConnected) bus.publish(TOPICS.found, message);
  }

  #publish(term: number, standings: readonly CheckStanding[]): void {
    let part: CheckStanding[] = [];
    let chars = 0;
    const send = (): void => {
      if (part.length > 0) this.#deps.bus.publish(TOPICS.standings, { term, standings: part });
      part = [];
      chars = 0;
    };
    for (const standing of standings) {
      part.push(standing);
      chars += 300 + 200 * standing.places.length + (standing.certificate === undefined ? 0 : 1_500);
      if (chars >= CHUNK_CHARS) send();
    }
    send();
  }

  #hear({ term, standings }: z.infer<typeof tellSchema>): void {
    if (this.#deps.term() !== undefined || term < this.#term) return;
    this.#term = term;
    for (const standing of standings) this.#deps.onStanding(standing);
  }

  #takeFound(message: z.infer<typeof foundSchema>): void {
    if (this.#deps.term() === undefined) return;
    if (message.type === "tries") this.#deps.onTries(message.serverId, message.tries);
    else this.#deps.onJudgement(message.checkId, message.judgement);
  }
}
