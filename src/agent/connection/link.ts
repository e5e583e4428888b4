/** Keeps a stream to the service open as long as the agent lives. */
import { grpcStatus } from "../../runtime/runtime.ts";
import { createBackoff } from "./backoff.ts";
import { type Session, type SessionEvents, type SessionOptions, createSession } from "./session.ts";
import { StreamError } from "./transport.ts";

export interface LinkOptions extends Omit<SessionOptions, "window" | "events"> {
  /** 0 ≤ n < 1, for the jitter. */
  readonly random: () => number;
  readonly events?: SessionEvents & { onOffline?(reason: string, retryInMs: number): void };
}

const WINDOW = 64;

interface Verdict {
  readonly message: string;
  readonly level: "info" | "warn" | "error";
  /** Only a person can help: try seldom. */
  readonly slow: boolean;
}

const lost: Verdict = { message: "The connection was lost", level: "warn", slow: false };
const verdicts: Readonly<Record<number, Verdict>> = {
  [grpcStatus.unauthenticated]: {
    message: "The service rejected the ID or key. Check --id and --key, or enroll the machine again",
    level: "error",
    slow: true,
  },
  [grpcStatus.permissionDenied]: {
    message:
      "This server was deleted or disabled, or its key was revoked. Enroll the machine again, or stop this agent",
    level: "error",
    slow: true,
  },
  [grpcStatus.aborted]: {
    message: "Another agent took over: the same key is used twice. Give each machine its own ID and key",
    level: "warn",
    slow: true,
  },
  [grpcStatus.unimplemented]: {
    message: "There is no monitor at this address. Check --server, which takes the gRPC port",
    level: "error",
    slow: false,
  },
  [grpcStatus.resourceExhausted]: {
    message: "The service does not accept more connections at the moment",
    level: "warn",
    slow: false,
  },
  [grpcStatus.unavailable]: { message: "The service cannot be reached", level: "warn", slow: false },
};

function judge(error: unknown): Verdict {
  return (error instanceof StreamError ? verdicts[error.status] : undefined) ?? lost;
}

/** Prepares the link; nothing happens before `run`. */
export function createLink(options: LinkOptions) {
  const { clock, timers, log, events = {} } = options;
  const backoff = createBackoff({ random: options.random });
  let session: Session | undefined;
  let offlineSinceMs: number | undefined = clock.monotonic();
  let careful = false;

  function startSession(): Session {
    return createSession({
      ...options,
      // One at a time after a stream that left open which report was rejected: then it is clear.
      window: careful ? 1 : WINDOW,
      events: {
        ...events,
        onOnline: () => {
          offlineSinceMs = undefined;
          log.info("Connected", { waiting: options.reports.size });
          events.onOnline?.();
        },
        onAcknowledged: (collectedAtUnixMs, tookMs) => {
          backoff.reset();
          if (options.reports.size === 0) careful = false;
          events.onAcknowledged?.(collectedAtUnixMs, tookMs);
        },
      },
    });
  }

  async function runOnce(signal: AbortSignal): Promise<number> {
    const current = startSession();
    session = current;
    let error: unknown;
    try {
      await current.run(signal);
    } catch (caught) {
      error = caught;
    }
    session = undefined;
    offlineSinceMs ??= clock.monotonic();
    careful ||= current.unclearRejections > 0;
    if (signal.aborted) return 0;
    const verdict = judge(error);
    const waitMs = verdict.slow ? backoff.longest() : backoff.next();
    const reason = error instanceof Error ? error.message : "The service ended the stream";
    log[verdict.level](verdict.message, { reason, retryInSeconds: Math.round(waitMs / 100) / 10 });
    events.onOffline?.(reason, waitMs);
    return waitMs;
  }

  return {
    /** Connects and reconnects until `signal` aborts. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const waitMs = await runOnce(signal);
        if (!signal.aborted) await timers.sleep(waitMs, signal);
      }
    },
    /** Call it when there is a new report. */
    wake: (): void => session?.wake(),
    /** Milliseconds since the service was last there; 0 while it is. */
    offlineForMs: (): number => (offlineSinceMs === undefined ? 0 : clock.monotonic() - offlineSinceMs),
  };
}

export type Link = ReturnType<typeof createLink>;
