/** A value that components follow. Hidden here: who listens, and how a component is drawn again. */
import { useEffect, useState } from "preact/hooks";

export interface Observable<T> {
  get(): T;
  set(value: T): void;
  /** Calls back after each change; returns how to stop. */
  subscribe(listener: () => void): () => void;
}

/** Makes a value that can be followed. */
export function createObservable<T>(initial: T): Observable<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The present value; the component is drawn again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(() => observable.get());
  useEffect(() => {
    // It may have changed between drawing and this.
    setValue(() => observable.get());
    return observable.subscribe(() => setValue(() => observable.get()));
  }, [observable]);
  return value;
}
