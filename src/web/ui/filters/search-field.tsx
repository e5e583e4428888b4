/** Search in lists of consoles: the text goes into the URL after a pause in typing. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import type { Query } from "../console/query.ts";

/** Pause in typing before the list is requested, in milliseconds. */
const TYPING_MS = 250;

/** A text that goes into the URL after a pause in typing; the list starts again. */
export function useTyped(query: Query, name: string): readonly [string, (typed: string) => void] {
  const asked = query.get(name);
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (typed.trim() === asked) return undefined;
    const timer = setTimeout(() => query.set({ [name]: typed.trim(), cursor: "" }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}

/** The search; `max` characters are what the request takes. */
export function SearchField(props: {
  query: Query;
  label: string;
  name?: string;
  max?: number | undefined;
}): JSX.Element {
  const { query, label, name = "q", max } = props;
  const [typed, setTyped] = useTyped(query, name);
  return (
    <span class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={max}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </span>
  );
}
