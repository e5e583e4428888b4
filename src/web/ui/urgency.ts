/** How much a value asks for attention. */
export type Urgency = "none" | "warn" | "bad";

/** How urgent a percentage is. */
export function toUrgency(percent: number): Urgency {
  if (percent >= 90) return "bad";
  return percent >= 75 ? "warn" : "none";
}
