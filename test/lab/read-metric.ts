/** A value of Prometheus's text format without labels; undefined when it is not there. */
export function findMetric(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, "mu").exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** The same. @throws Error when it is not there or no number: comparisons with nothing would all pass */
export function readMetric(text: string, name: string): number {
  const value = findMetric(text, name) ?? Number.NaN;
  if (!Number.isFinite(value)) throw new Error(`/metrics has no ${name}`);
  return value;
}
