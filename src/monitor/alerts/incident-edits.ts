/** How an incident begins, ends and is announced, as pure edits of its record. */
import { clip } from "../channels/kinds/messages.ts";
import { type ClosingReason, type IncidentRecord, type NewIncident, toCondition } from "./schema.ts";
import type { Details, Finding, Found } from "./kinds/kind.ts";
import { toWatchedRef } from "./kinds/watched.ts";
import { toOpenKey } from "./incident-log.ts";
import type { Decision } from "./notification-policy.ts";
import type { RuleState } from "./watch.ts";

/** The pending notification of an incident, and why it waits. */
type PendingNotification = Pick<NewIncident, "owed" | "held">;

function withPending<T extends NewIncident>(incident: T, { owed, held }: PendingNotification): T {
  const { owed: _owed, held: _held, ...rest } = incident;
  // The removed fields are optional, so the rest is a whole T with or without them.
  return {
    ...rest,
    ...(owed === undefined ? {} : { owed }),
    ...(held === undefined ? {} : { held }),
  } as T;
}

/** Which server or check an incident is about, under the members that it has for it. */
function toMembers({ type, record }: RuleState["watched"]): Partial<NewIncident> {
  const { id, name, createdAt } = record;
  return type === "server"
    ? { serverId: id, serverName: name, serverCreatedAt: createdAt }
    : { checkId: id, checkName: name, checkCreatedAt: createdAt };
}

const MAX_DETAIL = 200;

/** A target's response as safe text: one line, without invisible characters. */
function toReadable(found: Found | undefined): NewIncident["found"] {
  if (found === undefined) return undefined;
  const detail = found.detail.slice(0, 4 * MAX_DETAIL).replace(/[\p{C}\s]+/gu, " ");
  return { ...found, detail: clip(detail.trim(), MAX_DETAIL), places: [...found.places] };
}

/** An incident that begins, not announced yet. */
export function toBeginning(
  { ruleState, finding }: { readonly ruleState: RuleState; readonly finding: Finding & Details },
  at: { readonly id: string; readonly now: number },
): NewIncident {
  const { rule, watched } = ruleState;
  const { id, now } = at;
  const { name, severity, channelIds } = rule.rule;
  return {
    id,
    state: "open",
    openKey: toOpenKey({ ruleId: rule.id, ...toWatchedRef(watched) }),
    ...(finding.occasion === undefined ? {} : { occasion: finding.occasion }),
    ruleId: rule.id,
    ruleName: name,
    ruleRevision: rule.revision,
    condition: toCondition(rule.rule),
    severity,
    channelIds: [...new Set(channelIds)],
    ...toMembers(watched),
    since: finding.since ?? ruleState.since,
    openedAt: now,
    ...(finding.value === undefined ? {} : { firedValue: finding.value }),
    subject: finding.subject,
    found: toReadable(finding.found),
    told: { down: false, up: false },
  };
}

/** The new incident with its decision: announced now when undefined, else pending. */
export function withDecision(incident: NewIncident, decision: Decision): NewIncident {
  if (incident.channelIds.length === 0) return incident;
  return decision === undefined
    ? {
        ...incident,
        told: { down: true, up: false },
        notifiedAt: incident.openedAt,
        announcedAt: incident.openedAt,
      }
    : withPending(incident, { owed: "down", held: decision });
}

export interface Ending {
  readonly now: number;
  readonly closedBy: ClosingReason;
  readonly value: number | undefined;
  readonly isMuted: boolean;
  /** The decision about its recovery, if it was announced; "unplanned": decided later. */
  readonly decision: Decision | "unplanned";
}

function findPendingAfter(incident: IncidentRecord, { decision, isMuted }: Ending): PendingNotification {
  if (incident.told.down)
    return decision === undefined
      ? {}
      : { owed: "up", held: decision === "unplanned" ? undefined : decision };
  // A muted incident that was never announced ends silently; otherwise both ends are announced together.
  if (incident.owed !== "down" || isMuted) return {};
  return { owed: "down", held: incident.held };
}

/** The closed incident; undefined when it was closed before. */
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
    told: { ...incident.told, up: incident.told.down && ending.decision === undefined },
  };
  return withPending(ended, findPendingAfter(incident, ending));
}

/** The incident after its pending notification was sent as `planned` shows it; undefined when it was sent before. */
export function toNotified(
  incident: IncidentRecord,
  { planned, now, group }: { planned: IncidentRecord; now: number; group?: string },
): IncidentRecord | undefined {
  if (incident.owed === undefined || incident.owed !== planned.owed) return undefined;
  const isOver = planned.state === "closed";
  const told = { down: true, up: isOver };
  // It may have been closed elsewhere after the text was made.
  const owed = !isOver && incident.state === "closed" ? "up" : undefined;
  const { announcedAt = now } = incident;
  const next = { ...incident, told, notifiedAt: now, announcedAt, ...(group === undefined ? {} : { group }) };
  return withPending(next, { owed, held: undefined });
}

/** The incident after further steps were notified; undefined if that happened before, or is no longer wanted. */
export function toEscalated(
  incident: IncidentRecord,
  step: { planned: IncidentRecord; now: number; escalated: number; channelIds: readonly string[] },
): IncidentRecord | undefined {
  const { state, acknowledgedAt, escalated } = incident;
  if (state === "closed" || acknowledgedAt !== undefined || escalated !== step.planned.escalated)
    return undefined;
  // These channels also get its end.
  const channelIds = [...new Set([...incident.channelIds, ...step.channelIds])];
  return { ...incident, channelIds, escalated: step.escalated, notifiedAt: step.now };
}

/** The incident after people were reminded of it; undefined when that was done before, or is no longer wanted. */
export function toReminded(
  incident: IncidentRecord,
  { planned, now }: { planned: IncidentRecord; now: number },
): IncidentRecord | undefined {
  const { state, acknowledgedAt, notifiedAt } = incident;
  if (state === "closed" || acknowledgedAt !== undefined || notifiedAt !== planned.notifiedAt)
    return undefined;
  return { ...incident, notifiedAt: now };
}

/** The incident when its notification waits for something else; a closed muted one has nothing pending. */
export function toHeld(incident: IncidentRecord, held: NonNullable<Decision>): IncidentRecord | undefined {
  if (incident.owed === undefined) return undefined;
  if (held.by === "mute" && incident.state === "closed")
    return withPending(incident, { owed: undefined, held: undefined });
  return withPending(incident, { owed: incident.owed, held });
}
