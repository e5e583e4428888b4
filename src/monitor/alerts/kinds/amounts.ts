/** Amounts as people read them in a notice: values with their units, durations. Pure. */
import type { MetricUnit } from "../../metric-table.ts";
import { type MetricName, unitOf } from "../../metrics.ts";

const BYTE_STEPS = ["B", "kB", "MB", "GB", "TB", "PB"];
const SECONDS_STEPS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** At most two decimals, without zeros at the end. */
export function toNumberText(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function toBytesText(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 1_000 && step < BYTE_STEPS.length - 1) {
    value /= 1_000;
    step += 1;
  }
  return `${toNumberText(value)} ${BYTE_STEPS[step] ?? ""}`;
}

const toUnitText: Readonly<Record<MetricUnit, (value: number) => string>> = {
  percent: (value) => `${toNumberText(value)} %`,
  load: toNumberText,
  bytes: toBytesText,
  bytesPerSecond: (value) => `${toBytesText(value)}/s`,
  count: toNumberText,
  celsius: (value) => `${toNumberText(value)} °C`,
};

/** A metric's value with its unit, such as "97.3 %" or "8.35 GB". */
export function toValueText(name: MetricName, value: number): string {
  return toUnitText[unitOf(name)](value);
}

/** The two largest parts of a duration, such as "1 h 12 min". */
export function toDurationText(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const step of SECONDS_STEPS) {
    const count = Math.floor(rest / step.seconds);
    rest -= count * step.seconds;
    if (count > 0 || (parts.length === 0 && step.name === "s")) parts.push(`${count} ${step.name}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(" ");
}
