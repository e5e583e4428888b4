/** The live streams, one a server. */
import type { Clock } from "../../kit/time/clock.ts";
import { GrpcError, grpcStatus } from "../../runtime/runtime.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../base/schema.ts";

/** Supersedes within this time … */
const SUPERSEDE_WINDOW_MS = 5 * 60_000;
/** … from this number on mean that two machines run with one key. */
const SUPERSEDE_LIMIT = 3;

export interface Registration {
  readonly serverId: string;
  /** Aborts with a {@link GrpcError} when the service ends the stream. */
  readonly ended: AbortSignal;
  /** The stream is gone; idempotent. */
  close(): void;
}

/** A node's claim to a new stream. */
export interface StreamClaim {
  /** Higher than that of any stream of the server before; 0 in a process that runs alone. */
  readonly n: number;
  /** Whether the server has an open stream on another node. */
  readonly isElsewhere: boolean;
}

interface Stream {
  readonly serverId: string;
  readonly keyHash: string;
  readonly isPosted: boolean;
  readonly controller: AbortController;
}

function findRefusal(stream: Stream, record: ServerRecord | undefined, now: number): string | undefined {
  if (record === undefined) return "The server was deleted";
  if (record.disabled) return "The server was disabled by an administrator";
  const key = record.keys.find((candidate) => candidate.hash === stream.keyHash);
  if (key === undefined || (key.expiresAt !== undefined && key.expiresAt <= now))
    return "The key was revoked";
  return undefined;
}

function toSuperseded(): GrpcError {
  return new GrpcError(grpcStatus.aborted, "Another stream with the same key took over");
}

/** Flags servers whose streams supersede each other again and again. */
function createDuplicateWatch({ clock, live }: { clock: Clock; live: Live }): {
  note(serverId: string): void;
  clear(serverId: string): void;
} {
  const supersedes = new Map<string, number[]>();
  return {
    note: (serverId) => {
      const now = clock.monotonic();
      const recent = (supersedes.get(serverId) ?? []).filter((at) => now - at < SUPERSEDE_WINDOW_MS);
      recent.push(now);
      supersedes.set(serverId, recent.slice(-SUPERSEDE_LIMIT));
      if (recent.length >= SUPERSEDE_LIMIT) live.flagDuplicate(serverId, true);
    },
    clear: (serverId) => {
      supersedes.delete(serverId);
      live.flagDuplicate(serverId, false);
    },
  };
}

export function createAgentRegistry(deps: { clock: Clock; live: Live }) {
  const { clock, live } = deps;
  const streams = new Map<string, Stream>();
  const duplicates = createDuplicateWatch(deps);
  let stopping = false;

  function end(stream: Stream, error: GrpcError): void {
    if (streams.get(stream.serverId) === stream) {
      streams.delete(stream.serverId);
      live.disconnected(stream.serverId);
    }
    stream.controller.abort(error);
  }

  return {
    get size(): number {
      return streams.size;
    },
    /**
     * Enters a stream that showed the key with `keyHash`; the server's earlier stream ends with ABORTED. `isElsewhere`:
     * another node has one open. `isPosted`: it is no stream, but posted reports.
     */
    open: (
      serverId: string,
      keyHash: string,
      { isElsewhere = false, isPosted = false }: { isElsewhere?: boolean; isPosted?: boolean } = {},
    ): Registration => {
      if (stopping) throw new GrpcError(grpcStatus.unavailable, "The service is shutting down");
      const stream: Stream = { serverId, keyHash, isPosted, controller: new AbortController() };
      const earlier = streams.get(serverId);
      if (earlier !== undefined || (isElsewhere && !isPosted)) duplicates.note(serverId);
      if (earlier !== undefined) end(earlier, toSuperseded());
      streams.set(serverId, stream);
      live.connected(serverId);
      return {
        serverId,
        ended: stream.controller.signal,
        close: () => {
          if (streams.get(serverId) !== stream) return;
          streams.delete(serverId);
          live.disconnected(serverId);
        },
      };
    },
    /** Ends the streams that the records no longer allow. Cheap; call it after changes and every second. */
    review: (findRecord: (serverId: string) => ServerRecord | undefined): void => {
      const now = clock.now();
      for (const stream of streams.values()) {
        const refusal = findRefusal(stream, findRecord(stream.serverId), now);
        if (refusal !== undefined) end(stream, new GrpcError(grpcStatus.permissionDenied, refusal));
      }
    },
    isOpen: (serverId: string): boolean => streams.has(serverId),
    /** A stream on another node took over from one here, or on a third node: the one here ends with ABORTED. */
    supersede: (serverId: string): void => {
      const stream = streams.get(serverId);
      if (stream?.isPosted !== true) duplicates.note(serverId);
      if (stream !== undefined) end(stream, toSuperseded());
    },
    /** Forgets the duplicate-agent flag, for example after a key rotation. */
    clearDuplicate: (serverId: string): void => {
      duplicates.clear(serverId);
    },
    /** Ends every stream with UNAVAILABLE; later ones too. */
    shutDown: (): void => {
      stopping = true;
      for (const stream of streams.values()) {
        end(stream, new GrpcError(grpcStatus.unavailable, "The service is shutting down"));
      }
    },
  };
}

export type AgentRegistry = ReturnType<typeof createAgentRegistry>;
