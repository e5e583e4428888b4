/** Counts what is held at the same time, such as sockets of an address; what nothing is held of is forgotten. */

export interface HeldCounts {
  /** How many are held under the key. */
  of(key: string): number;
  take(key: string): void;
  release(key: string): void;
}

/** Makes counts that are all 0. */
export function createHeldCounts(): HeldCounts {
  const held = new Map<string, number>();
  const of = (key: string): number => held.get(key) ?? 0;
  return {
    of,
    take: (key) => {
      held.set(key, of(key) + 1);
    },
    release: (key) => {
      if (of(key) > 1) held.set(key, of(key) - 1);
      else held.delete(key);
    },
  };
}
