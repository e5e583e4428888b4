/** Search results while typing. */
import { useEffect, useState } from "preact/hooks";
import { toMessage } from "../forms/fault-words.ts";
import type { Items } from "./paged.ts";
import { adminRequest } from "./session.ts";

/** Pause in typing before the search request, in milliseconds. */
const TYPING_MS = 250;

interface Found<T> {
  /** Undefined until something is found. */
  readonly items?: readonly T[];
  readonly message?: string;
}

/** The first `limit` of GET `path` for `typed`; nothing while nothing is typed. */
export function useFound<T>(path: string, { typed, limit }: { typed: string; limit: number }): Found<T> {
  const [state, setState] = useState<Found<T>>({});
  const q = typed.trim();
  useEffect(() => {
    if (q === "") {
      setState({});
      return undefined;
    }
    let isGone = false;
    const timer = setTimeout(() => {
      const asked = new URLSearchParams({ limit: String(limit), q });
      adminRequest<Items<T>>(`${path}?${asked.toString()}`).then(
        ({ items }) => !isGone && setState({ items }),
        (error: unknown) => !isGone && setState({ message: toMessage(error) }),
      );
    }, TYPING_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [q]);
  return state;
}
