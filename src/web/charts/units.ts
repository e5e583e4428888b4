/** Values of charts in words, and where the axis of values ends. */
import {
  toBitRate,
  toBytes,
  toFahrenheit,
  toLatency,
  toLoad,
  toNumber,
  toPercent,
  toTraffic,
} from "../app/format.ts";
import { rateUnit, temperatureUnit } from "../app/units.ts";
import type { ChartUnit } from "./specs.ts";

/** The unit on the axis: that of the values, or the one that the reader prefers. */
export type ShownUnit = ChartUnit | "bitsPerSecond" | "fahrenheit";

/** The unit that the reader wants to see. */
export function toShownUnit(unit: ChartUnit): ShownUnit {
  if (unit === "bytesPerSecond" && rateUnit.value === "bits") return "bitsPerSecond";
  return unit === "celsius" && temperatureUnit.value === "fahrenheit" ? "fahrenheit" : unit;
}

/** A value as it was reported in the unit that is shown. */
export function toShownValue(unit: ShownUnit, value: number): number {
  if (unit === "bitsPerSecond") return 8 * value;
  return unit === "fahrenheit" ? toFahrenheit(value) : value;
}

/** A value with its unit. */
export function toValueWords(unit: ShownUnit, value: number): string {
  switch (unit) {
    case "percent":
      return toPercent(value, value < 10 ? 2 : 1);
    case "bytes":
      return toBytes(value);
    case "bytesPerSecond":
      return `${toTraffic(value)}/s`;
    case "bitsPerSecond":
      return toBitRate(value);
    case "count":
      return toNumber(value, value < 10 ? 1 : 0);
    case "load":
      return toLoad(value);
    case "milliseconds":
      return toLatency(value);
    case "celsius":
      return `${toNumber(value, 1)} °C`;
    case "fahrenheit":
      return `${toNumber(value, 1)} °F`;
  }
}

/** A value beside the axis, where there is little room. */
export function toTickWords(unit: ShownUnit, value: number): string {
  if (unit === "percent") return toPercent(value, 1);
  if (unit === "load") return toNumber(value, 2);
  return unit === "celsius" || unit === "fahrenheit" ? `${toNumber(value)}°` : toValueWords(unit, value);
}

/** The least that the top of the axis is, so that noise does not look like mountains. */
const leastTops: Readonly<Record<ShownUnit, number>> = {
  percent: 10,
  bytes: 1_000_000,
  bytesPerSecond: 1_000,
  bitsPerSecond: 8_000,
  count: 5,
  load: 0.5,
  milliseconds: 20,
  celsius: 50,
  fahrenheit: 120,
};

/** Where the axis of values ends, with room above `largest`; a percentage passes 100 only where values do. */
export function toAxisTop(unit: ShownUnit, largest: number): number {
  const top = Math.max(leastTops[unit], largest * 1.08);
  return unit === "percent" && largest <= 100 ? Math.min(100, top) : top;
}

/** Distances of lines on the axis. */
export const axisSteps: number[] = Array.from({ length: 20 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** (power - 2)),
).flat();
