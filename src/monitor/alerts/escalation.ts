/** Notifies further channels of alerts that stay open without acknowledgement, each step once. */
import { newId } from "../../kit/secrets/id.ts";
import { toEscalated } from "./incident-edits.ts";
import { toGroupNotices } from "./notification-groups.ts";
import { isQuietFor } from "./notification-policy.ts";
import type { ReminderDeps } from "./reminders.ts";
import type { IncidentRecord } from "./schema.ts";

const MINUTE_MS = 60_000;

/** An incident with steps that are due, and the channels of these. */
interface Due {
  readonly incident: IncidentRecord;
  readonly escalated: number;
  readonly channelIds: readonly string[];
}

function findDue({ incidentLog, rules, words }: ReminderDeps): readonly Due[] {
  const steps = new Map(
    rules.filter(({ rule }) => rule.escalation.length > 0).map(({ id, rule }) => [id, rule.escalation]),
  );
  if (steps.size === 0) return [];
  const { now } = words();
  return [...incidentLog.open.values()].flatMap((incident): Due[] => {
    const { ruleId, told, owed, acknowledgedAt, openedAt, announcedAt = openedAt, escalated = 0 } = incident;
    const isAnnounced = told.down && owed === undefined && acknowledgedAt === undefined;
    const due = (steps.get(ruleId) ?? []).filter(
      ({ afterMinutes }) => now - announcedAt >= afterMinutes * MINUTE_MS,
    );
    if (!isAnnounced || due.length <= escalated) return [];
    const channelIds = [...new Set(due.slice(escalated).flatMap((step) => step.channelIds))];
    return [{ incident, escalated: due.length, channelIds }];
  });
}

/** Sends the steps that are due, those of one moment together. Throws what the store throws. */
export async function sendEscalations(deps: ReminderDeps): Promise<void> {
  const all = findDue(deps);
  if (all.length === 0) return;
  const context = deps.createContext();
  const due = all.filter(
    ({ incident }) =>
      !context.isMuted(incident) && !isQuietFor(incident, context) && !deps.isCaused(incident),
  );
  if (due.length === 0) return;
  const words = deps.words();
  const batch = newId("grp", words.now);
  const planned = due.map(({ incident, channelIds }) => ({
    ...incident,
    channelIds: [...channelIds],
    owed: "down" as const,
  }));
  await deps.incidentLog.change(
    due.map(({ incident, escalated, channelIds }) => ({
      id: incident.id,
      edit: (current) => toEscalated(current, { planned: incident, now: words.now, escalated, channelIds }),
    })),
    toGroupNotices(planned, { ...words, kind: "escalation", batch }),
  );
}
