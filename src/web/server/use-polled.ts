/** Polling while a page is visible. */
import { useEffect, useState } from "preact/hooks";
import { request } from "../app/api.ts";

export interface Polled<T> {
  /** The latest answer; it stays while a later request fails. */
  readonly data: T | undefined;
  readonly failed: boolean;
}

/** Requests `path` now and every `everyMs`. */
export function usePolled<T>(path: string, everyMs: number): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({ data: undefined, failed: false });
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        setPolled({ data: await request<T>(path, { signal: abort.signal }), failed: false });
      } catch {
        if (!abort.signal.aborted) setPolled(({ data }) => ({ data, failed: true }));
      }
    };
    void ask();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void ask();
    }, everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [path, everyMs]);
  return polled;
}
