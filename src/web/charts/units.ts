/** Values of charts in words, and where the axis of values ends. */
import { toNumber, toPercent, toRate } from "../app/format.ts";
import type { ChartUnit } from "./specs.ts";

/** A value with its unit. */
export function toValueWords(unit: ChartUnit, value: number): string {
  switch (unit) {
    case "percent":
      return toPercent(value, value < 10 ? 2 : 1);
    case "bytesPerSecond":
      return toRate(value);
    case "count":
      return toNumber(value, value < 10 ? 1 : 0);
    case "load":
      return toNumber(value, 2);
    case "celsius":
      return `${toNumber(value, 1)} °C`;
  }
}

/** A value beside the axis, where there is little room. */
export function toTickWords(unit: ChartUnit, value: number): string {
  if (unit === "percent") return toPercent(value, 1);
  return unit === "celsius" ? `${toNumber(value)}°` : toValueWords(unit, value);
}

/** The least that the top of the axis is, so that noise does not look like mountains. */
const leastTops: Readonly<Record<ChartUnit, number>> = {
  percent: 10,
  bytesPerSecond: 1_024,
  count: 5,
  load: 0.5,
  celsius: 50,
};

/** Where the axis of values ends, with room above `largest`; a percentage never passes 100. */
export function toAxisTop(unit: ChartUnit, largest: number): number {
  const top = Math.max(leastTops[unit], largest * 1.08);
  return unit === "percent" ? Math.min(100, top) : top;
}

/** Distances of lines on the axis: powers of two for bytes, else of ten. */
export function toSteps(unit: ChartUnit): number[] {
  if (unit === "bytesPerSecond") return Array.from({ length: 50 }, (_, power) => 2 ** power);
  return Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** (power - 2))).flat();
}
