/** The criteria of the present page. */
import { computed } from "@preact/signals";
import { navigate, search } from "../app/route.ts";
import { type Criteria, formatCriteria, parseCriteria } from "./criteria.ts";

const KEY = "view";

function readView(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

/** The present criteria. */
export const presentCriteria = computed(() => parseCriteria(search.value, readView()));

/** Changes some of them; typing leaves no steps behind in the browser's history. */
export function changeCriteria(change: Partial<Criteria> | ((present: Criteria) => Criteria)): void {
  const present = parseCriteria(location.search, readView());
  const next = typeof change === "function" ? change(present) : { ...present, ...change };
  try {
    if (next.view !== present.view) localStorage.setItem(KEY, next.view);
  } catch {
    // Without storage the address alone holds it.
  }
  const isTyping = next.q !== present.q;
  navigate(`/?${formatCriteria(next)}`, { replace: isTyping || location.pathname !== "/" });
}

/** Chooses a value, or none when it is chosen already. */
export function toggleCriterion<K extends "group" | "tag" | "state">(
  key: K,
  value: NonNullable<Criteria[K]>,
): void {
  changeCriteria((present) => {
    const { [key]: chosen, ...rest } = present;
    return chosen === value ? (rest as Criteria) : { ...present, [key]: value };
  });
}
