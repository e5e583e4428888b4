/** From the reports of machines to the checks: which of their results count. */
import { isJudged } from "../checks/judged.ts";
import { hashDefinition } from "../../kit/check-files/check-hash.ts";
import type { CheckRecord } from "../checks/schema.ts";
import type { CheckDirectory, CheckIntake, ReportedTry } from "../checks/standings.ts";
import { type Finding, readFindings } from "./place-report.ts";

export interface PlaceIntakeDeps {
  readonly directory: Pick<CheckDirectory, "findRecord" | "recordsRevision">;
  /** Resolves when the tries are durable. */
  readonly take: CheckIntake["takePlaceResult"];
}

/** A report as far as this is about it. */
export interface PlaceReport {
  readonly serverId: string;
  readonly sample: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Two tries of one check at one place are never nearer: the fastest retry is 5 s. So many are no flood. */
const NEAREST_MS = 4_000;
/** Older than an agent keeps. */
const OLDEST_MS = 25 * 3_600_000;
const hashes = new WeakMap<CheckRecord, string>();

/** The hash of what a check looks at. */
export function definitionOf(record: CheckRecord): string {
  const known = hashes.get(record);
  if (known !== undefined) return known;
  const made = hashDefinition(record);
  hashes.set(record, made);
  return made;
}

/** Creates the intake of one monitor. */
export function createPlaceIntake({ directory, take }: PlaceIntakeDeps) {
  /** When each place tried each check last, by check and server. */
  const last = new Map<string, Map<string, number>>();
  let prunedAt = directory.recordsRevision;

  function prune(): void {
    if (prunedAt === directory.recordsRevision) return;
    prunedAt = directory.recordsRevision;
    for (const id of last.keys()) if (directory.findRecord(id) === undefined) last.delete(id);
  }

  /** The check, when it asks this place for what the finding is about. */
  function findMeant({ checkId, hash }: Finding, serverId: string): CheckRecord | undefined {
    const record = directory.findRecord(checkId);
    if (record === undefined || record.paused || isJudged(record.target)) return undefined;
    const isMeant = record.places.serverIds.includes(serverId) && definitionOf(record) === hash;
    return isMeant ? record : undefined;
  }

  /** Notes the time; false: it is too near to the one before, or not after it. */
  function isNext(checkId: string, serverId: string, at: number): boolean {
    const times = last.get(checkId) ?? new Map<string, number>();
    last.set(checkId, times);
    if (at - (times.get(serverId) ?? -Infinity) < NEAREST_MS) return false;
    times.set(serverId, at);
    return true;
  }

  function toTries({ serverId, sample, receivedAt }: PlaceReport): ReportedTry[] {
    const tries: ReportedTry[] = [];
    for (const finding of readFindings(sample)) {
      // A clock that runs ahead says no more than "just now".
      const at = Math.min(finding.at, receivedAt);
      const record = findMeant(finding, serverId);
      if (record === undefined || at < receivedAt - OLDEST_MS) continue;
      if (!isNext(record.id, serverId, at)) continue;
      const { id: checkId, revision } = record;
      tries.push({ checkId, revision, at, result: finding.result });
    }
    return tries;
  }

  return {
    /**
     * Stores the results of a new report; undefined if it has none that count. Resolves when they are durable; after a
     * rejection, the same report may come again.
     */
    take(report: PlaceReport): Promise<void> | undefined {
      if (report.sample["checks"] === undefined) return undefined;
      prune();
      const tries = toTries(report);
      if (tries.length === 0) return undefined;
      const { serverId } = report;
      return take(serverId, tries).catch((error: unknown) => {
        for (const { checkId } of tries) last.get(checkId)?.delete(serverId);
        throw error;
      });
    },
  };
}

export type PlaceIntake = ReturnType<typeof createPlaceIntake>;
