/** Stores incidents that begin and end, each with its notification or why that waits. */
import { newId } from "../../kit/secrets/id.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Closing } from "./end-reasons.ts";
import type { AlertEvent } from "./evaluation-pass.ts";
import { toBeginning, toEnded, withDecision } from "./incident-edits.ts";
import type { IncidentLog } from "./incident-log.ts";
import type { NotificationPolicy, PolicyContext } from "./notification-policy.ts";
import { toNotice } from "./notification-words.ts";
import type { IncidentRecord } from "./schema.ts";
import type { Watch } from "./watch.ts";
import type { WordsOptions } from "./words-options.ts";

/** Dependencies for storing them. */
export interface Recording {
  readonly clock: Clock;
  readonly incidentLog: IncidentLog;
  readonly policy: NotificationPolicy;
  readonly watch: Watch;
  readonly words: WordsOptions;
}

/** Closes incidents. Throws what the store throws, and LeaseLost. */
export async function closeIncidents(
  { clock, incidentLog, policy, words }: Recording,
  { closings, context }: { closings: readonly Closing[]; context: PolicyContext },
): Promise<void> {
  const now = clock.now();
  const announced = closings.map(({ incident }) => incident).filter((incident) => incident.told.down);
  const decisions = policy.decide("up", announced, context);
  const planned = new Map(announced.map(({ id }, index) => [id, decisions[index]]));
  const changes = closings.map(({ incident, closedBy, value }) => {
    const { id } = incident;
    const decision = planned.has(id) ? planned.get(id) : "unplanned";
    const ending = { now, closedBy, value, decision, isMuted: context.isMuted(incident) } as const;
    const ended = toEnded(incident, ending);
    return {
      id,
      edit: (current: IncidentRecord) => toEnded(current, ending),
      notice: ended?.told.up === true ? toNotice(ended, "up", words) : undefined,
    };
  });
  await incidentLog.change(changes);
  policy.remember("up", announced, decisions);
}

/** Opens incidents, and lets their rule states fire. Throws what {@link closeIncidents} throws. */
export async function openIncidents(
  { clock, incidentLog, policy, watch, words }: Recording,
  { fires, context }: { fires: readonly AlertEvent[]; context: PolicyContext },
): Promise<void> {
  const now = clock.now();
  const beginnings = fires.map((event) => toBeginning(event, { id: newId("inc", now), now }));
  const decisions = policy.decide("down", beginnings, context);
  const results = await incidentLog.begin(
    beginnings.map((beginning, index) => {
      const incident = withDecision(beginning, decisions[index]);
      return { incident, notice: incident.told.down ? toNotice(incident, "down", words) : undefined };
    }),
  );
  fires.forEach(({ ruleState, finding }, index) => {
    const isOpen = results[index]?.result !== "already_announced";
    if (isOpen) ruleState.occasion = finding.occasion;
    else ruleState.lastOccasion = finding.occasion;
    watch.move(ruleState, { phase: isOpen ? "firing" : "ok", sinceMs: clock.monotonic() });
  });
  policy.remember("down", beginnings, decisions);
}
