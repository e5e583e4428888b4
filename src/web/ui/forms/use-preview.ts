/** What comes of a form as it is typed. */
import { useEffect, useState } from "preact/hooks";
import { toMessage } from "./fault-words.ts";

/** The time without a change after which a preview is loaded, in milliseconds. */
const PAUSE_MS = 400;

export interface Preview<T> {
  readonly shown?: T;
  readonly fault?: string;
}

/**
 * Loads a preview once the form rests; empty while it is loading, and without a key.
 * @param key what the preview depends on: another key loads another one
 */
export function usePreview<T>(key: string | undefined, load: (key: string) => Promise<T>): Preview<T> {
  const [state, setState] = useState<Preview<T> & { of?: string }>({});
  useEffect(() => {
    if (key === undefined) return undefined;
    let isOld = false;
    const timer = setTimeout(() => {
      load(key).then(
        (shown) => isOld || setState({ shown, of: key }),
        (error: unknown) => isOld || setState({ fault: toMessage(error), of: key }),
      );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);
  return key === undefined || state.of !== key ? {} : state;
}
