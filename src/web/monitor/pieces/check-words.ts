/** Checks in words: states, why, what is looked at, how long it took. */
import type { CheckFault, CheckKind, CheckState, HeartbeatSchedule } from "../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { toMoment, toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";

/** All states, the worst first. */
export const listedStates = [
  "down",
  "partial",
  "unknown",
  "up",
  "paused",
] as const satisfies readonly CheckState[];

/** The title or description of a kind. */
export function kindText(kind: CheckKind, name: "title" | "text" = "title"): string {
  return text(`check.${kind}.${name}`);
}

/** "No answer in time"; `otherwise` where nothing is known. */
export function toWhy(fault: CheckFault | undefined, otherwise: string): string {
  if (fault === undefined) return otherwise;
  const words = text(`check.fault.${fault}`);
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** Details of a fault: the target's message, or when a ping was due. */
export function toFoundText({ detail, dueAt }: { detail: string; dueAt?: string | undefined }): string {
  if (dueAt === undefined) return detail;
  const due = text("admin.check.due", { time: toMoment(Date.parse(dueAt)) });
  return detail === "" ? due : `${due} · ${detail}`;
}

/** When a heartbeat is due, in a few words. */
export function toScheduleText(schedule: HeartbeatSchedule): string {
  if (schedule.type === "period")
    return text("admin.check.every", { span: toSpan(schedule.seconds * 1_000) });
  const expression = schedule.type === "cron" ? schedule.expression : schedule.calendar;
  return `${expression} (${schedule.timeZone})`;
}

/** The target in a few words. */
export function toTargetText({ target, address }: Pick<CheckView, "target" | "address">): string {
  if (target.kind === "heartbeat") return toScheduleText(target.schedule);
  if (target.kind === "group") {
    const { group, downWhen, count } = target;
    return text(`admin.check.group.${downWhen}`, { group, count });
  }
  return address.replace(/^https?:\/\//u, "").replace(/\/$/u, "");
}

/** How many members of a group are down, and up to ten of their names; "" for other checks. */
export function toMembersText({ standing }: Pick<CheckView, "standing">, withNames = false): string {
  const { members } = standing;
  if (members === undefined || members.total === 0) return "";
  const { total, down, names } = members;
  const counts = text("admin.members.down", { total, down });
  if (!withNames || names.length === 0) return counts;
  return `${counts}: ${names.join(", ")}${down > names.length ? ", …" : ""}`;
}

/** The result of the worst location: why a check is down. */
export function findWhy({
  standing,
}: Pick<CheckView, "standing">): CheckView["standing"]["locations"][number] | undefined {
  const { locations } = standing;
  return (
    locations.find(({ isDown, fault }) => isDown && fault !== undefined) ??
    locations.find(({ fault }) => fault !== undefined)
  );
}

/** The newest latency: the monitor's, otherwise that of any location. */
export function findLatency({ standing }: Pick<CheckView, "standing">): number | undefined {
  const { locations } = standing;
  const own = locations.find(({ serverId, latencyMs }) => serverId === undefined && latencyMs !== undefined);
  return (own ?? locations.find(({ latencyMs }) => latencyMs !== undefined))?.latencyMs;
}
