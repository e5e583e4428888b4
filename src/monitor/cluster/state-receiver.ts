/** Applies the server states that other nodes publish. */
import { fromSampleMessage } from "./sample-message.ts";
import type { ReportSilence } from "../fleet/live.ts";
import type { ServerStateMessage } from "./schema.ts";
import type { StateDeps } from "./state-publisher.ts";

/** Servers without a record here that are remembered until the records were read again. */
const MAX_WAITING = 5_000;

export interface StateReceiverDeps extends StateDeps {
  readonly isAlive: (node: string) => boolean;
  /** Publishes what this node knows better. */
  readonly touch: (serverId: string) => void;
  /** Restores this node as the owner: its stream outlived the owner's. */
  readonly reclaim: (serverId: string) => void;
  /** Called when records must be read. */
  readonly onUnknown: () => void;
}

/** Whether this node knows of more reports than the owner, or of a later sign of life of a stream that has ended. */
function knowsMore({ live }: StateDeps, { id, open, last = 0, stored }: ServerStateMessage): boolean {
  const { lastSeenAt = 0, reportsStored } = live.get(id);
  return reportsStored > stored || (!open && lastSeenAt > last);
}

function toSilence(text: string | undefined): ReportSilence | undefined {
  if (text === undefined) return undefined;
  return text === "" ? { kind: "missing" } : { kind: "rejected", reason: text };
}

function takeForRecord(deps: StateReceiverDeps, message: ServerStateMessage, from: string): void {
  const { bus, live, registry, ownerships, isAlive, touch, reclaim } = deps;
  const { id, n, open, since: stateSince, last: lastSeenAt, stored: reportsStored } = message;
  const known = ownerships.get(id);
  const latest = message.sample && fromSampleMessage(message.sample);
  const published = { lastSeenAt, reportsStored, latest };
  const isOpenHere = registry.isOpen(id);
  const state = {
    ...published,
    state: message.state,
    stateSince,
    duplicateAgent: message.twice === true,
    silence: toSilence(message.silence),
  };
  if (n === 0 || n < (known?.n ?? 0) || (n === known?.n && known.node !== from)) {
    const isOwn = n > 0 && known?.node === bus.node;
    // Its stream outlived what this node has of the server.
    if (isOwn && !isOpenHere) live.vouched(id, { ...state, isOpen: open });
    else live.merge(id, published);
    // The sender does not know of the owner yet.
    if (isOwn) touch(id);
    return;
  }
  if (isOpenHere && !open) {
    live.merge(id, published);
    return reclaim(id);
  }
  const isMoved = known !== undefined && known.isOpen && known.node !== from && isAlive(known.node);
  if (open && (isOpenHere || isMoved)) registry.supersede(id);
  ownerships.set(id, { n, node: from, isOpen: open });
  live.remote(id, state);
  if (knowsMore(deps, message)) touch(id);
}

/** Creates the receiver of peer states. */
export function createStateReceiver(deps: StateReceiverDeps) {
  let waiting = new Map<string, readonly [ServerStateMessage, from: string]>();
  return {
    /** Takes a state that a node published; one without a record here waits for the records. */
    take: (message: ServerStateMessage, from: string): void => {
      const { createdAt = -Infinity } = deps.findRecord(message.id) ?? {};
      if (createdAt === message.made) takeForRecord(deps, message, from);
      if (createdAt >= message.made || waiting.size >= MAX_WAITING) return;
      waiting.set(message.id, [message, from]);
      if (waiting.size === 1) deps.onUnknown();
    },
    /**
     * Applies the states whose records were read by now; the others belong to deleted servers, or are published again.
     */
    retry: (): void => {
      const waited = waiting;
      waiting = new Map();
      for (const [message, from] of waited.values())
        if (deps.findRecord(message.id)?.createdAt === message.made) takeForRecord(deps, message, from);
    },
  };
}
