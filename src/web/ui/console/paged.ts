/** Lists that come page after page, the newest first. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../app/api.ts";
import { adminRequest } from "./session.ts";

export interface Pages<T> {
  readonly items: readonly T[];
  readonly busy: boolean;
  readonly hasMore: boolean;
  readonly error: ApiError | undefined;
  /** Reads the next page. */
  readonly more: () => void;
  /** Starts again with the newest. */
  readonly refresh: () => void;
}

/** The answer of a list that comes whole. */
export interface Items<T> {
  readonly items: readonly T[];
}

/** A page of a list. */
export interface PageAnswer<T> extends Items<T> {
  readonly nextCursor?: string;
}

interface State<T> {
  readonly items: readonly T[];
  readonly cursor: string | undefined;
  readonly busy: boolean;
  readonly hasMore: boolean;
  readonly error: ApiError | undefined;
}

function toFirst<T>(): State<T> {
  return { items: [], cursor: undefined, busy: true, hasMore: false, error: undefined };
}

/** The pages of GET `path`, which includes a query; starts again when `path` changes. */
export function usePages<T>(path: string): Pages<T> {
  const [state, setState] = useState<State<T>>(toFirst);
  const turn = useRef(0);
  const read = useCallback(
    async (items: readonly T[], cursor: string | undefined) => {
      turn.current += 1;
      const mine = turn.current;
      setState((before) => ({ ...before, busy: true, error: undefined }));
      try {
        const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await adminRequest<PageAnswer<T>>(`${path}${query}`);
        if (turn.current !== mine) return;
        setState({
          items: [...items, ...page.items],
          cursor: page.nextCursor,
          busy: false,
          hasMore: page.nextCursor !== undefined,
          error: undefined,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (turn.current === mine) setState((before) => ({ ...before, busy: false, error }));
      }
    },
    [path],
  );
  useEffect(() => {
    void read([], undefined);
    return () => {
      turn.current += 1;
    };
  }, [read]);
  return {
    items: state.items,
    busy: state.busy,
    hasMore: state.hasMore,
    error: state.error,
    more: () => void read(state.items, state.cursor),
    refresh: () => void read([], undefined),
  };
}
