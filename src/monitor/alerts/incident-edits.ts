/** How an incident begins, ends and is told, as pure changes of its record. */
import { type ClosingReason, type IncidentRecord, type NewIncident, toCondition } from "./schema.ts";
import type { Finding } from "./evaluate.ts";
import { toOpenKey } from "./incident-log.ts";
import type { Disposal } from "./notification-policy.ts";
import type { Check } from "./watch.ts";

/** What is still to be told of an incident, and why it waits. */
type Debt = Pick<NewIncident, "owed" | "held">;

function withDebt<T extends NewIncident>(incident: T, { owed, held }: Debt): T {
  const { owed: _owed, held: _held, ...rest } = incident;
  // What was taken out is optional, so the rest is a whole T with it or without.
  return {
    ...rest,
    ...(owed === undefined ? {} : { owed }),
    ...(held === undefined ? {} : { held }),
  } as T;
}

/** An incident that begins; nothing of it is told yet. */
export function toBeginning(
  { check, finding }: { readonly check: Check; readonly finding: Finding },
  at: { readonly id: string; readonly now: number; readonly lastSeenAt: number | undefined },
): NewIncident {
  const { rule, record } = check;
  const { id, now, lastSeenAt } = at;
  const { kind, name, severity, channelIds } = rule.rule;
  return {
    id,
    state: "open",
    openKey: toOpenKey({ ruleId: rule.id, serverId: record.id }),
    ...(finding.occasion === undefined ? {} : { occasion: finding.occasion }),
    ruleId: rule.id,
    ruleName: name,
    ruleRevision: rule.revision,
    condition: toCondition(rule.rule),
    severity,
    channelIds: [...new Set(channelIds)],
    serverId: record.id,
    serverName: record.name,
    serverCreatedAt: record.createdAt,
    // It was gone since it was heard of last, not since someone looked.
    since: kind === "offline" ? (lastSeenAt ?? check.since) : check.since,
    openedAt: now,
    ...(finding.value === undefined ? {} : { firedValue: finding.value }),
    told: { down: false, up: false },
  };
}

/** The beginning with what is told of it: now when `disposal` is undefined, else later. */
export function withBeginningTold(incident: NewIncident, disposal: Disposal): NewIncident {
  if (incident.channelIds.length === 0) return incident;
  return disposal === undefined
    ? { ...incident, told: { down: true, up: false } }
    : withDebt(incident, { owed: "down", held: disposal });
}

/** An incident's end. */
export interface Ending {
  readonly now: number;
  readonly closedBy: ClosingReason;
  readonly value: number | undefined;
  readonly isMuted: boolean;
  /** When its end is told, if its beginning was; "unplanned": that is decided later. */
  readonly disposal: Disposal | "unplanned";
}

function findDebt(incident: IncidentRecord, { disposal, isMuted }: Ending): Debt {
  if (incident.told.down)
    return disposal === undefined
      ? {}
      : { owed: "up", held: disposal === "unplanned" ? undefined : disposal };
  // What nobody was told of and nobody wants to hear of ends in silence; the rest is told with its end.
  if (incident.owed !== "down" || isMuted) return {};
  return { owed: "down", held: incident.held };
}

/** The incident after its end; undefined when it had ended before. */
export function toEnded(incident: IncidentRecord, ending: Ending): IncidentRecord | undefined {
  if (incident.state === "closed") return undefined;
  const { openKey: _key, ...rest } = incident;
  const { now, closedBy, value } = ending;
  const ended: IncidentRecord = {
    ...rest,
    state: "closed",
    resolvedAt: now,
    durationSeconds: Math.max(0, Math.round((now - incident.since) / 1_000)),
    closedBy,
    ...(value === undefined ? {} : { resolvedValue: value }),
    told: { ...incident.told, up: incident.told.down && ending.disposal === undefined },
  };
  return withDebt(ended, findDebt(incident, ending));
}

/** The incident after what it owed was told as `planned` shows it; undefined when that was told before. */
export function toTold(
  incident: IncidentRecord,
  planned: IncidentRecord,
  group?: string,
): IncidentRecord | undefined {
  if (incident.owed === undefined || incident.owed !== planned.owed) return undefined;
  const isOver = planned.state === "closed";
  const told = { down: true, up: isOver };
  // It may have ended elsewhere after the words were chosen.
  const owed = !isOver && incident.state === "closed" ? "up" : undefined;
  const next = { ...incident, told, ...(group === undefined ? {} : { group }) };
  return withDebt(next, { owed, held: undefined });
}

/** The incident when what it owes waits for something else; a muted one that has ended owes nothing. */
export function toHeld(incident: IncidentRecord, held: NonNullable<Disposal>): IncidentRecord | undefined {
  if (incident.owed === undefined) return undefined;
  if (held.by === "mute" && incident.state === "closed")
    return withDebt(incident, { owed: undefined, held: undefined });
  return withDebt(incident, { owed: incident.owed, held });
}
