/** Sends what still lasts once more, as often as its rule says. */
import { newId } from "../../kit/secrets/id.ts";
import { toReminded } from "./incident-edits.ts";
import type { IncidentLog } from "./incident-log.ts";
import type { WatchedRef } from "./kinds/watched.ts";
import { toGroupNotices } from "./notification-groups.ts";
import { type PolicyContext, isQuietFor } from "./notification-policy.ts";
import type { WordsOptions } from "./words-options.ts";
import type { AlertRuleRecord, IncidentRecord } from "./schema.ts";

const HOUR_MS = 3_600_000;

export interface ReminderDeps {
  readonly incidentLog: IncidentLog;
  readonly rules: readonly AlertRuleRecord[];
  readonly words: () => WordsOptions;
  readonly createContext: () => PolicyContext;
  /** Whether a parent is down, which its own alert says. */
  readonly isCaused: (ref: WatchedRef) => boolean;
}

/** The open incidents that were announced, and of which people were not notified for as long as their rule says. */
function findDue({ incidentLog, rules, words }: ReminderDeps): readonly IncidentRecord[] {
  const everyMs = new Map(
    rules
      .filter(({ rule }) => rule.remindEveryHours > 0)
      .map(({ id, rule }) => [id, rule.remindEveryHours * HOUR_MS]),
  );
  if (everyMs.size === 0) return [];
  const { now } = words();
  return [...incidentLog.open.values()].filter((incident) => {
    const { ruleId, told, owed, acknowledgedAt, openedAt, notifiedAt = openedAt } = incident;
    const waitMs = everyMs.get(ruleId);
    const isAnnounced = told.down && owed === undefined && acknowledgedAt === undefined;
    return isAnnounced && waitMs !== undefined && now - notifiedAt >= waitMs;
  });
}

/** Sends the reminders that are due, those of one moment together. Throws what the store throws. */
export async function sendReminders(deps: ReminderDeps): Promise<void> {
  const due = findDue(deps);
  if (due.length === 0) return;
  const context = deps.createContext();
  const incidents = due.filter(
    (incident) => !context.isMuted(incident) && !isQuietFor(incident, context) && !deps.isCaused(incident),
  );
  if (incidents.length === 0) return;
  const words = deps.words();
  const planned = incidents.map((incident) => ({ ...incident, owed: "down" as const }));
  const batch = newId("grp", words.now);
  await deps.incidentLog.change(
    incidents.map((incident) => ({
      id: incident.id,
      edit: (current) => toReminded(current, { planned: incident, now: words.now }),
    })),
    toGroupNotices(planned, { ...words, kind: "reminder", batch }),
  );
}
