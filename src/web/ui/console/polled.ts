/** Polls an API path while the page is visible. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../app/api.ts";
import { adminRequest } from "./session.ts";

export interface Polled<T> {
  /** The last answer, kept when a later request fails. */
  readonly data: T | undefined;
  /** Error of the last request. */
  readonly error: ApiError | undefined;
  /** Asks now; resolves when the answer is there. */
  readonly refresh: () => Promise<void>;
}

/**
 * Result of `load`, loaded again every `everyMs` while the page is visible; 0: loaded once. `path` is its key: another
 * path is loaded at once, and results of the former one are dropped.
 */
export function useLoaded<T>(
  path: string,
  { load, everyMs }: { load: () => Promise<T>; everyMs: number },
): Polled<T> {
  const [state, setState] = useState<{ path: string; data?: T; error?: ApiError }>({ path });
  // A dialog may ask with the "refresh" of a path that is no longer shown: what is asked for is always the present one.
  const present = useRef({ path, load });
  present.current = { path, load };
  // Answers that come after a newer request, or after the component is gone, change nothing.
  const turn = useRef(0);
  const refresh = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const asked = present.current;
    try {
      const data = await asked.load();
      if (turn.current === mine) setState({ path: asked.path, data });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn.current !== mine) return;
      setState((before) => ({ ...(before.path === asked.path && before), path: asked.path, error }));
    }
  }, []);
  useEffect(() => {
    const ask = (): void => {
      if (document.visibilityState === "visible") void refresh();
    };
    void refresh();
    const timer = everyMs === 0 ? undefined : setInterval(ask, everyMs);
    if (everyMs > 0) document.addEventListener("visibilitychange", ask);
    return () => {
      turn.current += 1;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [path, everyMs]);
  const isMine = state.path === path;
  return { data: isMine ? state.data : undefined, error: isMine ? state.error : undefined, refresh };
}

/** The answer to GET `path`, asked again every `everyMs` while the page is in sight; 0 asks once. */
export function usePolled<T>(path: string, everyMs: number): Polled<T> {
  return useLoaded(path, { load: () => adminRequest<T>(path), everyMs });
}
