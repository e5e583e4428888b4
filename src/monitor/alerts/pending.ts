/** Tells what waits, when its time has come: gathered masses, the digest after quiet hours, what a mute held back. */
import type { IncidentRecord } from "./schema.ts";
import type { IncidentBook, IncidentChange } from "./incident-log.ts";
import { toHeld, toTold } from "./incident-edits.ts";
import { type WordsOptions, toGroupNotices, toNotice } from "./notification-words.ts";
import {
  type Direction,
  type Disposal,
  type Surroundings,
  type Telling,
  isQuietFor,
} from "./notification-policy.ts";

export interface OwedDeps {
  readonly book: IncidentBook;
  readonly telling: Telling;
  readonly words: WordsOptions;
  readonly surroundings: () => Surroundings;
}

interface Sorted {
  /** After quiet hours. */
  readonly digest: IncidentRecord[];
  /** Gathered masses that are due, by batch. */
  readonly masses: Map<string, IncidentRecord[]>;
  /** To be decided anew. */
  readonly open: Record<Direction, IncidentRecord[]>;
}

function sort(deps: OwedDeps, around: Surroundings): Sorted {
  const sorted: Sorted = { digest: [], masses: new Map(), open: { down: [], up: [] } };
  for (const incident of deps.book.owed.values()) {
    const { owed, held } = incident;
    if (owed === undefined) continue;
    const isMuted = owed === "down" && around.isMuted(incident.serverId);
    if (held?.by === "mute" && isMuted) continue;
    if (held?.by === "quiet" && around.quietEnd !== undefined) continue;
    if (held?.by === "gather" && !deps.telling.isDue(held.batch)) continue;
    if (held === undefined || held.by === "mute" || isMuted) sorted.open[owed].push(incident);
    else if (held.by === "quiet") sorted.digest.push(incident);
    else if (isQuietFor(incident, around)) sorted.open[owed].push(incident);
    else sorted.masses.set(held.batch, [...(sorted.masses.get(held.batch) ?? []), incident]);
  }
  return sorted;
}

/** One message for all of them. The batch is its key: should only a part be marked, it is not told again with the rest. */
async function tellTogether(
  { book, words }: OwedDeps,
  incidents: readonly IncidentRecord[],
  kind: "mass" | "digest",
): Promise<void> {
  const batch = incidents[0]?.held?.batch;
  if (batch === undefined) return;
  const changes = incidents.map((incident): IncidentChange => ({
    id: incident.id,
    edit: (current) => toTold(current, incident, batch),
  }));
  await book.change(changes, toGroupNotices(incidents, { ...words, kind, batch }));
}

function toChange(incident: IncidentRecord, disposal: Disposal, words: WordsOptions): IncidentChange {
  const { id, owed } = incident;
  if (disposal !== undefined) return { id, edit: (current) => toHeld(current, disposal) };
  return {
    id,
    edit: (current) => toTold(current, incident),
    notice: owed === undefined ? undefined : toNotice(incident, owed, words),
  };
}

/** Tells what is due of all that is owed. Throws what the store throws; what was not told is told the next time. */
export async function tellOwed(deps: OwedDeps): Promise<void> {
  const { book, telling, words } = deps;
  if (book.owed.size === 0) return;
  const around = deps.surroundings();
  const { digest, masses, open } = sort(deps, around);
  for (const incidents of masses.values()) await tellTogether(deps, incidents, "mass");
  if (digest.length > 0) await tellTogether(deps, digest, "digest");
  if (around.quietEnd === undefined) telling.endQuiet();
  // Ends first: beginnings wait for those of the same rule and server.
  for (const direction of ["up", "down"] as const) {
    const incidents = open[direction];
    if (incidents.length === 0) continue;
    const disposals = telling.plan(direction, incidents, around);
    await book.change(incidents.map((incident, index) => toChange(incident, disposals[index], words)));
    telling.note(direction, incidents, disposals);
  }
}
