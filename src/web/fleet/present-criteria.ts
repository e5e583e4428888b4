/** The criteria of the present page. */
import { computed } from "@preact/signals";
import { toOwnPath } from "../app/path.ts";
import { navigate, search } from "../app/route.ts";
import { type Criteria, type Fallback, formatCriteria, parseCriteria } from "./criteria.ts";

/** Kept in the browser, under their own names. */
const remembered = ["view", "show"] as const;

/** What the administrator chose for readers who have not chosen. */
const [ownShow, ownView] =
  document.querySelector<HTMLMetaElement>('meta[name="home"]')?.content.split(" ") ?? [];

function readChoice(key: (typeof remembered)[number]): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

function readFallback(): Fallback {
  return { view: readChoice("view") ?? ownView, show: readChoice("show") ?? ownShow };
}

/** The present criteria. */
export const presentCriteria = computed(() => parseCriteria(search.value, readFallback()));

/** Changes some of them; typing leaves no steps behind in the browser's history. */
export function changeCriteria(change: Partial<Criteria> | ((present: Criteria) => Criteria)): void {
  const present = parseCriteria(location.search, readFallback());
  const next = typeof change === "function" ? change(present) : { ...present, ...change };
  try {
    for (const key of remembered) if (next[key] !== present[key]) localStorage.setItem(key, next[key]);
  } catch {
    // Without storage the address alone holds it.
  }
  const isTyping = next.q !== present.q;
  navigate(`/?${formatCriteria(next)}`, {
    replace: isTyping || toOwnPath(location.pathname) !== "/",
  });
}

/** Chooses a state or group; without a value, all of them. */
export function choose<K extends "group" | "state">(key: K, value: Criteria[K] | undefined): void {
  changeCriteria((present) => {
    const { [key]: _before, ...rest } = present;
    return value === undefined ? (rest as Criteria) : { ...present, [key]: value };
  });
}

/** Chooses a tag as well, or no longer. */
export function toggleTag(tag: string): void {
  changeCriteria((present) => ({
    ...present,
    tags: present.tags.includes(tag) ? present.tags.filter((one) => one !== tag) : [...present.tags, tag],
  }));
}
