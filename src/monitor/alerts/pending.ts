/** Sends pending notifications when due: gathered masses, the digest after quiet hours, what a mute held back. */
import type { IncidentRecord } from "./schema.ts";
import type { IncidentLog, IncidentChange } from "./incident-log.ts";
import { toHeld, toNotified } from "./incident-edits.ts";
import { toGroupNotices } from "./notification-groups.ts";
import { toNotice } from "./notification-words.ts";
import type { WordsOptions } from "./words-options.ts";
import {
  type Direction,
  type Decision,
  type PolicyContext,
  type NotificationPolicy,
  isQuietFor,
} from "./notification-policy.ts";

export interface PendingDeps {
  readonly incidentLog: IncidentLog;
  readonly policy: NotificationPolicy;
  readonly words: WordsOptions;
  readonly createContext: () => PolicyContext;
}

interface Sorted {
  /** After quiet hours. */
  readonly digest: IncidentRecord[];
  /** Gathered masses that are due, by batch. */
  readonly masses: Map<string, IncidentRecord[]>;
  /** To be decided again. */
  readonly open: Record<Direction, IncidentRecord[]>;
}

function sort(deps: PendingDeps, context: PolicyContext): Sorted {
  const sorted: Sorted = { digest: [], masses: new Map(), open: { down: [], up: [] } };
  for (const incident of deps.incidentLog.pendingIncidents.values()) {
    const { owed, held } = incident;
    if (owed === undefined) continue;
    const isMuted = owed === "down" && context.isMuted(incident);
    if (held?.by === "mute" && isMuted) continue;
    if (held?.by === "quiet" && context.quietEnd !== undefined) continue;
    if (held?.by === "gather" && !deps.policy.isDue(held.batch)) continue;
    if (held === undefined || held.by === "mute" || isMuted) sorted.open[owed].push(incident);
    else if (held.by === "quiet") sorted.digest.push(incident);
    else if (isQuietFor(incident, context)) sorted.open[owed].push(incident);
    else sorted.masses.set(held.batch, [...(sorted.masses.get(held.batch) ?? []), incident]);
  }
  return sorted;
}

/** Sends one message for all. The batch is its key, so a part that is marked late is not sent again with the rest. */
async function sendTogether(
  { incidentLog, words }: PendingDeps,
  incidents: readonly IncidentRecord[],
  kind: "mass" | "digest",
): Promise<void> {
  const batch = incidents[0]?.held?.batch;
  if (batch === undefined) return;
  const changes = incidents.map((incident): IncidentChange => ({
    id: incident.id,
    edit: (current) => toNotified(current, { planned: incident, now: words.now, group: batch }),
  }));
  await incidentLog.change(changes, toGroupNotices(incidents, { ...words, kind, batch }));
}

function toChange(incident: IncidentRecord, decision: Decision, words: WordsOptions): IncidentChange {
  const { id, owed } = incident;
  if (decision !== undefined) return { id, edit: (current) => toHeld(current, decision) };
  return {
    id,
    edit: (current) => toNotified(current, { planned: incident, now: words.now }),
    notice: owed === undefined ? undefined : toNotice(incident, owed, words),
  };
}

/**
 * Sends the pending notifications that are due. Throws what the store throws; what was not sent is sent the next
 * time.
 */
export async function sendPending(deps: PendingDeps): Promise<void> {
  const { incidentLog, policy, words } = deps;
  if (incidentLog.pendingIncidents.size === 0) return;
  const context = deps.createContext();
  const { digest, masses, open } = sort(deps, context);
  for (const incidents of masses.values()) await sendTogether(deps, incidents, "mass");
  if (digest.length > 0) await sendTogether(deps, digest, "digest");
  if (context.quietEnd === undefined) policy.endQuiet();
  // Recoveries first: downs wait for those of the same rule and server or check.
  for (const direction of ["up", "down"] as const) {
    const incidents = open[direction];
    if (incidents.length === 0) continue;
    const decisions = policy.decide(direction, incidents, context);
    await incidentLog.change(incidents.map((incident, index) => toChange(incident, decisions[index], words)));
    policy.remember(direction, incidents, decisions);
  }
}
