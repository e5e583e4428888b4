/** Applies the server states that other nodes publish. */
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import { type Claim, type Ownership, compareClaims } from "./claims.ts";
import type { ServerStateMessage } from "./schema.ts";
import { applySampleDelta } from "./sample-delta.ts";

/**
 * Servers without a record here that are remembered, and for how long: by then they are published again, or
 * deleted.
 */
const MAX_WAITING = 5_000;
const WAIT_MS = 60_000;

export interface StateReceiverDeps {
  readonly node: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly live: Pick<Live, "get" | "remote" | "merge" | "orphan">;
  readonly registry: Pick<AgentRegistry, "isOpen" | "supersede">;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly ownerships: Map<string, Ownership>;
  readonly isAlive: (node: string) => boolean;
  /** Whether a node is the one that repeats the state of dead nodes. */
  readonly isSuccessor: (node: string) => boolean;
  /** Publishes what this node knows better. */
  readonly touch: (serverId: string) => void;
  /** Publishes a dead node's server to a peer that does not know it. */
  readonly answer: (serverId: string) => void;
  /** Called when records must be read. */
  readonly onUnknown: () => void;
}

/** Merges only what is newer and cannot conflict: times, counts and samples. */
function merge({ live }: StateReceiverDeps, message: ServerStateMessage): void {
  const { id, last, stored, sample } = message;
  live.merge(id, {
    lastSeenAt: last,
    reportsStored: stored,
    latest: sample === undefined ? undefined : applySampleDelta(sample, live.get(id).latest),
  });
}

function apply({ live }: StateReceiverDeps, message: ServerStateMessage): void {
  const { id, state, since, last, stored, twice = false, sample } = message;
  live.remote(id, {
    state,
    stateSince: since,
    lastSeenAt: last,
    duplicateAgent: twice,
    reportsStored: stored,
    latest: sample === undefined ? undefined : applySampleDelta(sample, live.get(id).latest),
  });
}

/** Takes a newer claim. False when a stream on this node wins over it. */
function acceptClaim(
  deps: StateReceiverDeps,
  message: ServerStateMessage,
  { claim, known }: { claim: Claim; known: Ownership | undefined },
): boolean {
  const { registry, ownerships, node, isAlive, touch } = deps;
  const { id } = message;
  const isOpenHere = registry.isOpen(id);
  if (isOpenHere && !message.open) {
    // The other stream has ended and this one lives, so this one must get the newer claim.
    ownerships.set(id, { claim: { n: claim.n + 1, seenAt: 0, node }, isOpen: true, published: undefined });
    touch(id);
    return false;
  }
  const isOpenElsewhere =
    known !== undefined && known.isOpen && known.claim.node !== claim.node && isAlive(known.claim.node);
  if (message.open && (isOpenHere || isOpenElsewhere)) registry.supersede(id);
  return true;
}

/** After an older or a known claim: publishes what the sender seems not to know. */
function answerOlder(
  { registry, clock, node, isAlive, isSuccessor, touch, answer }: StateReceiverDeps,
  { id, from }: { id: string; from: string },
  { order, known }: { order: number; known: Ownership | undefined },
): void {
  if (known === undefined) return;
  const holder = known.claim.node;
  if (holder === node) {
    // The sender does not know of the stream here.
    if (registry.isOpen(id)) touch(id);
  } else if (!isAlive(holder)) {
    if (order === 0 && isSuccessor(from)) known.repeatedMs = clock.monotonic();
    // A dead owner cannot answer, and its successor may be the very node that does not know.
    else if (order < 0) answer(id);
  }
}

function takeForRecord(deps: StateReceiverDeps, message: ServerStateMessage, from: string): void {
  const { ownerships, isAlive, live, clock, node } = deps;
  const { id, holder = from } = message;
  const known = ownerships.get(id);
  const claim: Claim = { n: message.n, seenAt: message.seen ?? 0, node: holder };
  const order = compareClaims(claim, known?.claim);
  const isFromOwner = holder === from;
  if (holder === node || order < 0 || (!isFromOwner && (order === 0 || isAlive(holder)))) {
    merge(deps, message);
    return answerOlder(deps, { id, from }, { order, known });
  }
  if (order > 0 && !acceptClaim(deps, message, { claim, known })) return merge(deps, message);
  ownerships.set(id, { claim, isOpen: message.open, published: undefined });
  apply(deps, message);
  if (!isFromOwner) live.orphan(id, clock.monotonic());
}

/** Creates the receiver of peer states. */
export function createStateReceiver(deps: StateReceiverDeps) {
  const waiting = new Map<
    string,
    { readonly message: ServerStateMessage; readonly from: string; readonly receivedMs: number }
  >();

  /** Takes a state that a node published. */
  function take(message: ServerStateMessage, from: string): void {
    const madeAt = deps.findRecord(message.id)?.createdAt;
    if (madeAt === message.made) {
      waiting.delete(message.id);
      takeForRecord(deps, message, from);
    } else if (madeAt === undefined || madeAt < message.made) {
      const receivedMs = deps.clock.monotonic();
      if (waiting.size < MAX_WAITING || waiting.has(message.id))
        waiting.set(message.id, { message, from, receivedMs });
      deps.onUnknown();
    }
  }

  return {
    take,
    /** Takes the states that waited for a record and have one now. */
    retry: (): void => {
      const nowMs = deps.clock.monotonic();
      for (const [id, { message, from, receivedMs }] of waiting) {
        if (nowMs - receivedMs >= WAIT_MS) waiting.delete(id);
        else if (deps.findRecord(id)?.createdAt === message.made) take(message, from);
      }
      // The rest belongs to deleted servers, or is published again.
      if (waiting.size >= MAX_WAITING) waiting.clear();
    },
  };
}

export type StateReceiver = ReturnType<typeof createStateReceiver>;
