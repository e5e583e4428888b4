/** A value that components follow. */
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

/**
 * A part of the present value; the component is drawn again when that part is another. `parts` holds what
 * `select` depends on beside the value.
 */
export function useSelected<T, S>(
  observable: Observable<T>,
  select: (value: T) => S,
  parts: readonly unknown[] = [],
): S {
  const [, redraw] = useState<S>();
  const selected = select(observable.get());
  useEffect(() => {
    // It may have changed between drawing and this.
    redraw(() => select(observable.get()));
    return observable.subscribe(() => redraw(() => select(observable.get())));
  }, [observable, ...parts]);
  return selected;
}

function same<T>(value: T): T {
  return value;
}

/** The present value; the component is drawn again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  return useSelected(observable, same);
}
