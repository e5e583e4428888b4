/** PORTS between those who determine the state of checks, and those who alert on it and show it. */
import type { ProbeResult } from "../../kit/probes/probe.ts";
import type { CheckFault, CheckRecord, CheckStanding, Members } from "./schema.ts";

/** Every check with its state, in memory; the same on every node, except for messages in flight. */
export interface CheckDirectory {
  /** All checks, sorted by group and name. The same array as long as nothing was changed. */
  records(): readonly CheckRecord[];
  findRecord(id: string): CheckRecord | undefined;
  /** Grows with each change of a record. */
  readonly recordsRevision: number;
  /** The current state; a check that never ran is `unknown` since its creation. Undefined: unknown check. */
  findStanding(id: string): CheckStanding | undefined;
  /** Called with the id when a result came, whether or not the state is another. Gives what ends that. */
  onChange(listener: (id: string) => void): () => void;
}

export interface ReportedTry {
  readonly checkId: string;
  /** Of the definition in the agent's file: what was found under another than the present one is left out. */
  readonly revision: number;
  /** When it ended, epoch milliseconds. */
  readonly at: number;
  readonly result: ProbeResult;
}

/** The verdict on a heartbeat or group. */
export interface Judgement {
  readonly state: "up" | "down" | "unknown";
  /** Of "down". */
  readonly fault?: CheckFault | undefined;
  /** One line of at most 200 characters, in English. */
  readonly detail: string;
  /** When what stays away was due, epoch milliseconds. */
  readonly dueAt?: number | undefined;
  /** Since when it is so, epoch milliseconds. */
  readonly at: number;
  /** How long the run took, milliseconds; kept in the history with the judgement. */
  readonly latencyMs?: number | undefined;
  /** Of a group. */
  readonly members?: Members | undefined;
}

/** Facts about a heartbeat in addition to its state; all times in epoch milliseconds. */
export interface HeartbeatFacts {
  /** So far. */
  readonly pings: number;
  readonly lastPingAt: number;
  readonly lastSuccessAt?: number | undefined;
  /** When the next sign is due; absent before the first one, and while a period is overdue. */
  readonly nextDueAt?: number | undefined;
  /** How long the newest run took that ended. */
  readonly lastRunMs?: number | undefined;
  /** Runs that began and have not ended; `rid` is empty for one without a name. */
  readonly openRuns: readonly { readonly rid: string; readonly startedAt: number }[];
}

/** Receives results of sources other than the monitor's own probes. May be called on every node. */
export interface CheckIntake {
  /**
   * Takes an agent's attempts, oldest first; unknown ones, and those older than the location's last one, change no
   * state. Resolves when they are durable; throws `store_unavailable` when they cannot be.
   */
  takePlaceResult(serverId: string, tries: readonly ReportedTry[]): Promise<void>;
  /** Takes the verdict on a heartbeat or group; only the leader's counts. Call it for each ping, and for each missed one. */
  judge(checkId: string, judgement: Judgement): void;
}
