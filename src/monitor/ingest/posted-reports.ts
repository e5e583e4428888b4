/** Reports that agents post, for machines where a stream is too much: each call is part of a session that lasts. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { GrpcError } from "../../runtime/runtime.ts";
import type { AgentIngest, AgentSession, ReportOutcome } from "./agent-session.ts";

/** A session without a call for this time ends; the server is offline long before. */
const IDLE_MS = 15 * 60_000;
/** As many as streams. */
const MAX_SESSIONS = 10_000;
/** The shortest interval is 10 s; the rest is for what was kept during an outage. */
const CALLS = 60;
const CALLS_WINDOW_MS = 60_000;

export interface PostedReport {
  /** Epoch milliseconds by the machine's clock. */
  readonly collectedAt: number;
  /** JSON text, as in `payload_json`. */
  readonly payloadJson: string;
}

export interface PostedCall {
  readonly serverId: string;
  readonly agentKey: string;
  readonly hostname: string;
  /** Start of the machine; "" where the agent does not know it. */
  readonly boot: string;
  readonly remoteAddress: string;
  readonly reports: readonly PostedReport[];
}

interface PostedSession {
  readonly session: AgentSession;
  readonly keyHash: string;
  readonly hostname: string;
  readonly boot: string;
  /** Of the last call, by the monotonic clock. */
  usedMs: number;
}

export interface PostedReports {
  /**
   * Resolves when every report is durable or rejected, in the order of the call. Throws AppError `unauthenticated`,
   * `forbidden`, `rate_limited`, and `store_unavailable` when reports were not stored: send all of them again.
   */
  take(call: PostedCall): Promise<readonly ReportOutcome[]>;
  /** Ends the sessions of agents that stay away; call it every minute. */
  sweep(): void;
}

/** Creates the sessions of agents that post. */
export function createPostedReports(deps: {
  readonly ingest: AgentIngest;
  readonly limits: LimitSource;
  readonly clock: Clock;
}): PostedReports {
  const { ingest, clock } = deps;
  const sessions = new Map<string, PostedSession>();
  const calls = deps.limits.create("agent-posts", { limit: CALLS, windowMs: CALLS_WINDOW_MS });

  async function findSession(call: PostedCall): Promise<AgentSession> {
    const { serverId, agentKey, hostname, boot, remoteAddress } = call;
    const keyHash = hashSecret(agentKey);
    const known = sessions.get(serverId);
    // Two machines with one key take turns, as their streams would, and the server is flagged.
    const isSame = known?.keyHash === keyHash && known.hostname === hostname && known.boot === boot;
    if (isSame && !known.session.ended.aborted) {
      known.usedMs = clock.monotonic();
      return known.session;
    }
    if (known === undefined && sessions.size >= MAX_SESSIONS)
      throw new AppError("rate_limited", "Too many agents post reports", { retryAfterSeconds: 60 });
    const session = await ingest.open({ serverId, agentKey, hostname, remoteAddress, isPosted: true });
    sessions.set(serverId, { session, keyHash, hostname, boot, usedMs: clock.monotonic() });
    return session;
  }

  async function report(session: AgentSession, { reports }: PostedCall): Promise<readonly ReportOutcome[]> {
    return Promise.all(
      reports.map(({ payloadJson, collectedAt }) => session.report(payloadJson, collectedAt)),
    );
  }

  function drop({ serverId }: PostedCall): void {
    sessions.get(serverId)?.session.close();
    sessions.delete(serverId);
  }

  async function attempt(call: PostedCall): Promise<readonly ReportOutcome[]> {
    const session = await findSession(call);
    const { allowed, retryAfterSeconds } = calls.hit(call.serverId);
    if (!allowed)
      throw new AppError("rate_limited", `A server can send ${CALLS} requests a minute`, {
        retryAfterSeconds,
      });
    return report(session, call);
  }

  return {
    take: async (call) => {
      try {
        return await attempt(call);
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
      }
      // Another node has taken the agent over in the meantime, or this one is shutting down.
      drop(call);
      try {
        return await attempt(call);
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        throw new AppError("store_unavailable", `${error.message}. Send the reports again`, { cause: error });
      }
    },
    sweep: () => {
      const now = clock.monotonic();
      for (const [serverId, { session, usedMs }] of sessions) {
        if (!session.ended.aborted && now - usedMs < IDLE_MS) continue;
        session.close();
        sessions.delete(serverId);
      }
    },
  };
}
