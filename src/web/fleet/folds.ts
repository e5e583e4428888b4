/** Groups that the reader has folded, kept in this browser. */
import { signal } from "@preact/signals";

const KEY = "folded-groups";

function readFolds(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []);
  } catch {
    return new Set(); // storage is switched off, or holds something else
  }
}

/** Names of the groups that are folded; "" is what has no group. */
export const folds = signal(readFolds());

/** Folds a group, or unfolds it. */
export function toggleFold(group: string): void {
  const next = new Set(folds.peek());
  if (!next.delete(group)) next.add(group);
  folds.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify([...next]));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
