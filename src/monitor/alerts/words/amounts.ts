/** Amounts as people read them in a notice: values with their units, durations. Pure. */
import type { MetricUnit } from "../../base/metric.ts";
import { type MetricName, unitOf } from "../../base/metrics.ts";
import type { NoticeTexts } from "./words.ts";

const BYTE_STEPS = ["B", "kB", "MB", "GB", "TB", "PB"];
const SECONDS_STEPS = [
  { name: "unit.day", seconds: 86_400 },
  { name: "unit.hour", seconds: 3_600 },
  { name: "unit.minute", seconds: 60 },
  { name: "unit.second", seconds: 1 },
] as const;

const formats = new Map<string, Intl.NumberFormat>();

/** At most two decimals, without zeros at the end. */
export function toNumberText(value: number, { language }: NoticeTexts): string {
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: false });
    formats.set(language, format);
  }
  // As -0 it would have a sign.
  return format.format(Math.round(value * 100) / 100 + 0);
}

function toBytesText(bytes: number, t: NoticeTexts): string {
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 1_000 && step < BYTE_STEPS.length - 1) {
    value /= 1_000;
    step += 1;
  }
  return `${toNumberText(value, t)} ${BYTE_STEPS[step] ?? ""}`;
}

const toUnitText: Readonly<Record<MetricUnit, (value: number, t: NoticeTexts) => string>> = {
  percent: (value, t) => `${toNumberText(value, t)} %`,
  load: toNumberText,
  bytes: toBytesText,
  bytesPerSecond: (value, t) => `${toBytesText(value, t)}/s`,
  count: toNumberText,
  celsius: (value, t) => `${toNumberText(value, t)} °C`,
  seconds: toDurationText,
};

/** A value with its unit. */
export function toAmountText(unit: MetricUnit, value: number, t: NoticeTexts): string {
  return toUnitText[unit](value, t);
}

/** A metric's value with its unit, such as "97.3 %" or "8.35 GB". */
export function toValueText(name: MetricName, value: number, t: NoticeTexts): string {
  return toAmountText(unitOf(name), value, t);
}

/** The two largest parts of a duration, such as "1 h 12 min". */
export function toDurationText(seconds: number, t: NoticeTexts): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const step of SECONDS_STEPS) {
    const count = Math.floor(rest / step.seconds);
    rest -= count * step.seconds;
    if (count > 0 || (parts.length === 0 && step.seconds === 1)) parts.push(t(step.name, { count }));
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(" ");
}
