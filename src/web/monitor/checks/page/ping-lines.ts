/** The addresses that a job calls, and lines that call them. */
import type { HeartbeatSchedule } from "../../../../monitor/checks/schema.ts";
import { findZone } from "../../../../kit/time/on-calendar.ts";
import { basePath } from "../../../app/path.ts";

/** Where pings go, without a slash at its end. */
function toOrigin(): string {
  return `${location.origin}${basePath}`;
}

/** The address in the form of healthchecks. */
export function toPingUrl(key: string): string {
  return `${toOrigin()}/ping/${key}`;
}

/** The address in the form of Uptime Kuma's push monitors. */
export function toPushUrl(key: string): string {
  return `${toOrigin()}/api/push/${key}?status=up&msg=OK&ping=`;
}

const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";

type OnCalendar = Extract<HeartbeatSchedule, { type: "onCalendar" }>;

/** When a line of a crontab would run, as far as five fields can say it. */
function toCronFields(schedule: Exclude<HeartbeatSchedule, OnCalendar>): string {
  if (schedule.type === "cron") return schedule.expression;
  const minutes = Math.max(1, Math.round(schedule.seconds / 60));
  if (minutes < 60) return `*/${minutes} * * * *`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return hours === 1 ? "0 * * * *" : `0 */${hours} * * *`;
  return "15 3 * * *";
}

/** A line for a crontab that runs a job and says how it ended. */
export function toCrontabLine(key: string, schedule: Exclude<HeartbeatSchedule, OnCalendar>): string {
  return `${toCronFields(schedule)} /usr/local/bin/job; ${CURL} ${toPingUrl(key)}/$?`;
}

/** Lines for the timer and the service of systemd that run a job and say how it ended. */
export function toSystemdLines(key: string, { calendar, timeZone }: OnCalendar): string {
  const zone = findZone(calendar) === undefined ? ` ${timeZone}` : "";
  const end = 'case "$SERVICE_RESULT" in success) end=0;; *) end=fail;; esac';
  return `[Timer]\nOnCalendar=${calendar}${zone}\n\n[Service]\nExecStopPost=-/bin/sh -c '${end}; ${CURL} ${toPingUrl(key)}/$end'`;
}

/** Lines for a script: when it begins, and how it ended with the last lines of what it said. */
export function toScriptLines(key: string): string {
  const url = toPingUrl(key);
  return `${CURL} ${url}/start\nsaid=$(/usr/local/bin/job 2>&1); status=$?\n${CURL} --data-raw "$said" ${url}/$status`;
}
