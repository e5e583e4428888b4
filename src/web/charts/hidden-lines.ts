/** Which lines of which charts the reader has switched off; kept in the browser. */
import { signal } from "@preact/signals";

const KEY = "hidden-chart-lines";

function readKept(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : []);
  } catch {
    return new Set(); // storage is switched off, or holds something else
  }
}

/** Names of metrics that are not drawn. */
export const hiddenMetrics = signal(readKept());

/** The hidden lines after one was switched; switching the only visible line shows all. */
export function switchLine(
  hidden: ReadonlySet<string>,
  { metrics, metric, alone }: { metrics: readonly string[]; metric: string; alone: boolean },
): ReadonlySet<string> {
  const others = metrics.filter((name) => name !== metric);
  const isAlone = !hidden.has(metric) && others.every((name) => hidden.has(name));
  const next = new Set(hidden);
  if (isAlone) for (const name of metrics) next.delete(name);
  else if (alone) {
    for (const name of others) next.add(name);
    next.delete(metric);
  } else if (!next.delete(metric)) next.add(metric);
  return next;
}

/** Shows and keeps what is hidden. */
export function hideMetrics(hidden: ReadonlySet<string>): void {
  hiddenMetrics.value = hidden;
  try {
    localStorage.setItem(KEY, JSON.stringify([...hidden]));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
