/** Loaded data, replaced by the response to a change. */
import { useState } from "preact/hooks";
import { type Polled, usePolled } from "./polled.ts";

export interface Renewed<T> extends Polled<T> {
  /** Shows the answer to a change, which is what is stored now; without one it asks. */
  readonly renew: (saved?: T) => void;
}

/** The answer to GET `path`, until a change has another one. */
export function useRenewed<T>(path: string): Renewed<T> {
  const loaded = usePolled<T>(path, 0);
  const [last, setLast] = useState<{ readonly before: T | undefined; readonly saved: T }>();
  return {
    ...loaded,
    // A later request knows it, too.
    data: last !== undefined && last.before === loaded.data ? last.saved : loaded.data,
    renew: (saved) => {
      if (saved === undefined) void loaded.refresh();
      else setLast({ before: loaded.data, saved });
    },
  };
}
