/** What a node makes of what others tell of servers. */
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import { type Claim, type Holding, compareClaims } from "./claims.ts";
import type { ToldServer } from "./schema.ts";
import { takeSample } from "./sample-delta.ts";

/** Servers without a record here that are remembered, and for how long: by then they are told again, or deleted. */
const MAX_WAITING = 5_000;
const WAIT_MS = 60_000;

export interface HearingDeps {
  readonly node: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly live: Pick<Live, "get" | "remote" | "merge" | "orphan">;
  readonly registry: Pick<AgentRegistry, "isOpen" | "supersede">;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly holdings: Map<string, Holding>;
  readonly isAlive: (node: string) => boolean;
  /** Whether another node is the one that repeats what the dead left. */
  readonly isHeir: (node: string) => boolean;
  /** Tells others what this node knows better. */
  readonly touch: (serverId: string) => void;
  /** Tells of what a dead node left to who does not know it. */
  readonly answer: (serverId: string) => void;
  /** Called when a record must be read. */
  readonly onUnknown: () => void;
}

export interface Hearing {
  /** Takes what a node told. */
  take(told: ToldServer, from: string): void;
  /** Takes what waited, as far as there are records now. */
  retry(): void;
}

/** What is newer than what is known: nothing that another node could have decided since. */
function merge({ live }: HearingDeps, told: ToldServer): void {
  const { id, last, stored, sample } = told;
  live.merge(id, {
    lastSeenAt: last,
    reportsStored: stored,
    latest: sample === undefined ? undefined : takeSample(sample, live.get(id).latest),
  });
}

function obey({ live }: HearingDeps, told: ToldServer): void {
  const { id, state, since, last, stored, twice = false, sample } = told;
  live.remote(id, {
    state,
    stateSince: since,
    lastSeenAt: last,
    duplicateAgent: twice,
    reportsStored: stored,
    latest: sample === undefined ? undefined : takeSample(sample, live.get(id).latest),
  });
}

/** A newer claim than the one that is known. False when a stream here goes before it. */
function takeOver(
  deps: HearingDeps,
  told: ToldServer,
  { claim, known }: { claim: Claim; known: Holding | undefined },
): boolean {
  const { registry, holdings, node, isAlive, touch } = deps;
  const { id } = told;
  const isOpenHere = registry.isOpen(id);
  if (isOpenHere && !told.open) {
    // That stream has ended, and this one lives: it must count as the newer one.
    holdings.set(id, { claim: { n: claim.n + 1, seenAt: 0, node }, isOpen: true, told: undefined });
    touch(id);
    return false;
  }
  const isOpenElsewhere =
    known !== undefined && known.isOpen && known.claim.node !== claim.node && isAlive(known.claim.node);
  if (told.open && (isOpenHere || isOpenElsewhere)) registry.supersede(id);
  return true;
}

/** An older word, or what is known already: others may have to hear what this node knows. */
function compareNotes(
  { registry, clock, node, isAlive, isHeir, touch, answer }: HearingDeps,
  { id, from }: { id: string; from: string },
  { order, known }: { order: number; known: Holding | undefined },
): void {
  if (known === undefined) return;
  const holder = known.claim.node;
  if (holder === node) {
    // Someone does not know of the stream here.
    if (registry.isOpen(id)) touch(id);
  } else if (!isAlive(holder)) {
    if (order === 0 && isHeir(from)) known.spokenMs = clock.monotonic();
    // Who has died tells nobody, and who is to speak for the dead may be the very one who does not know.
    else if (order < 0) answer(id);
  }
}

function takeKnown(deps: HearingDeps, told: ToldServer, from: string): void {
  const { holdings, isAlive, live, clock, node } = deps;
  const { id, holder = from } = told;
  const known = holdings.get(id);
  const claim: Claim = { n: told.n, seenAt: told.seen ?? 0, node: holder };
  const order = compareClaims(claim, known?.claim);
  const isWordOfHolder = holder === from;
  if (holder === node || order < 0 || (!isWordOfHolder && (order === 0 || isAlive(holder)))) {
    merge(deps, told);
    return compareNotes(deps, { id, from }, { order, known });
  }
  if (order > 0 && !takeOver(deps, told, { claim, known })) return merge(deps, told);
  holdings.set(id, { claim, isOpen: told.open, told: undefined });
  obey(deps, told);
  if (!isWordOfHolder) live.orphan(id, clock.monotonic());
}

/** Makes the ear of a node. */
export function createHearing(deps: HearingDeps): Hearing {
  const waiting = new Map<
    string,
    { readonly told: ToldServer; readonly from: string; readonly cameMs: number }
  >();

  function take(told: ToldServer, from: string): void {
    const madeAt = deps.findRecord(told.id)?.createdAt;
    if (madeAt === told.made) {
      waiting.delete(told.id);
      takeKnown(deps, told, from);
    } else if (madeAt === undefined || madeAt < told.made) {
      const cameMs = deps.clock.monotonic();
      if (waiting.size < MAX_WAITING || waiting.has(told.id)) waiting.set(told.id, { told, from, cameMs });
      deps.onUnknown();
    }
  }

  return {
    take,
    retry: () => {
      const nowMs = deps.clock.monotonic();
      for (const [id, { told, from, cameMs }] of waiting) {
        if (nowMs - cameMs >= WAIT_MS) waiting.delete(id);
        else if (deps.findRecord(id)?.createdAt === told.made) take(told, from);
      }
      // The rest is of servers that are gone, or is told again.
      if (waiting.size >= MAX_WAITING) waiting.clear();
    },
  };
}
