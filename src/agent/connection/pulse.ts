/** Whether the other end lives: heartbeats when there is nothing to say, and silence where an answer is due. */
import type { Clock } from "../../kit/time/clock.ts";

export interface PulseOptions {
  readonly clock: Clock;
  /** Sends a heartbeat. */
  readonly beat: () => void;
  /** Called when nothing was answered for 40 s although an answer is due. */
  readonly onSilent: () => void;
}

const HEARTBEAT_AFTER_MS = 15_000;
const SILENT_AFTER_MS = 40_000;

/** Starts with nothing sent. */
export function createPulse(options: PulseOptions) {
  const { clock } = options;
  let lastSentMs = clock.monotonic();
  let dueSinceMs: number | undefined;
  let openBeats = 0;
  return {
    /** Something was sent; everything that an agent sends is answered. */
    sent(): void {
      lastSentMs = clock.monotonic();
      dueSinceMs ??= lastSentMs;
    },
    /** An answer came; `isMoreDue` when others are still due. */
    answered(isMoreDue: boolean): void {
      dueSinceMs = isMoreDue || openBeats > 0 ? clock.monotonic() : undefined;
    },
    beatAnswered(): void {
      openBeats = Math.max(0, openBeats - 1);
    },
    /** Looks at the clock; `mayBeat` once the hello was answered. */
    check(mayBeat: boolean): void {
      const nowMs = clock.monotonic();
      if (dueSinceMs !== undefined && nowMs - dueSinceMs >= SILENT_AFTER_MS) options.onSilent();
      else if (mayBeat && nowMs - lastSentMs >= HEARTBEAT_AFTER_MS) {
        openBeats += 1;
        options.beat();
      }
    },
  };
}
