/** Amounts as people read them in a notice: values with their units, durations. Pure. */
import type { Labels, Language } from "../../base/labels.ts";
import type { MetricUnit } from "../../base/metric.ts";
import { type MetricName, unitOf } from "../../base/metrics.ts";

const BYTE_STEPS = ["B", "kB", "MB", "GB", "TB", "PB"];
const SECONDS_STEPS: readonly { readonly name: Labels; readonly seconds: number }[] = [
  { name: { en: "d", zh: "天", de: "T" }, seconds: 86_400 },
  { name: { en: "h", zh: "小时", de: "Std." }, seconds: 3_600 },
  { name: { en: "min", zh: "分", de: "Min." }, seconds: 60 },
  { name: { en: "s", zh: "秒", de: "s" }, seconds: 1 },
];

/** At most two decimals, without zeros at the end. */
export function toNumberText(value: number, language: Language): string {
  const text = String(Math.round(value * 100) / 100);
  return language === "de" ? text.replace(".", ",") : text;
}

function toBytesText(bytes: number, language: Language): string {
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 1_000 && step < BYTE_STEPS.length - 1) {
    value /= 1_000;
    step += 1;
  }
  return `${toNumberText(value, language)} ${BYTE_STEPS[step] ?? ""}`;
}

const toUnitText: Readonly<Record<MetricUnit, (value: number, language: Language) => string>> = {
  percent: (value, language) => `${toNumberText(value, language)} %`,
  load: toNumberText,
  bytes: toBytesText,
  bytesPerSecond: (value, language) => `${toBytesText(value, language)}/s`,
  count: toNumberText,
  celsius: (value, language) => `${toNumberText(value, language)} °C`,
  seconds: toDurationText,
};

/** A metric's value with its unit, such as "97.3 %" or "8.35 GB". */
export function toValueText(name: MetricName, value: number, language: Language): string {
  return toUnitText[unitOf(name)](value, language);
}

/** The two largest parts of a duration, such as "1 h 12 min". */
export function toDurationText(seconds: number, language: Language): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const step of SECONDS_STEPS) {
    const count = Math.floor(rest / step.seconds);
    rest -= count * step.seconds;
    if (count > 0 || (parts.length === 0 && step.seconds === 1))
      parts.push(`${count} ${step.name[language]}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(" ");
}
