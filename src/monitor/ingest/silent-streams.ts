/**
 * Streams that have not said hello yet. They cost places and prove nothing, so they are counted apart from the
 * agents' streams and make room for each other. An agent says hello at once: a fleet that comes back from one
 * address is never silent for long, and only those that are silent for long count against their address.
 */
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";

export interface SilentStreamLimits {
  /** Time from the stream's start to its hello. */
  readonly helloMs: number;
  /** Streams without a hello in all; when one more comes, the oldest ends. */
  readonly maxSilent: number;
  /** Silent for so long, a stream counts against its address. */
  readonly silentGraceMs: number;
  /** Such streams of an address (IPv6: of a /64); one more ends. */
  readonly maxSilentOfAddress: number;
}

/** Why a silent stream has to end. */
export type SilentEnd = "late" | "crowded";

interface SilentStream {
  readonly address: string;
  readonly end: (reason: SilentEnd) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  isCounted: boolean;
}

/** Enters streams; what it gives takes the stream out again, once it has spoken or is gone. */
export type EnterSilent = (remoteAddress: string, end: (reason: SilentEnd) => void) => () => void;

/** Counts for all streams of a listener. */
export function createSilentStreams(limits: SilentStreamLimits): EnterSilent {
  // In the order in which they came.
  const silent = new Set<SilentStream>();
  const counts = createHeldCounts();

  function leave(stream: SilentStream): void {
    if (!silent.delete(stream)) return;
    clearTimeout(stream.timer);
    if (stream.isCounted) counts.release(stream.address);
  }
  function drop(stream: SilentStream, reason: SilentEnd): void {
    leave(stream);
    stream.end(reason);
  }
  function count(stream: SilentStream): void {
    if (counts.of(stream.address) >= limits.maxSilentOfAddress) {
      drop(stream, "crowded");
      return;
    }
    stream.isCounted = true;
    counts.take(stream.address);
    stream.timer = setTimeout(() => drop(stream, "late"), limits.helloMs - limits.silentGraceMs);
  }

  return (remoteAddress, end) => {
    const [oldest] = silent;
    if (silent.size >= limits.maxSilent && oldest !== undefined) drop(oldest, "crowded");
    const stream: SilentStream = {
      address: addressKey(remoteAddress),
      end,
      timer: undefined,
      isCounted: false,
    };
    stream.timer = setTimeout(() => count(stream), limits.silentGraceMs);
    silent.add(stream);
    return () => leave(stream);
  };
}
