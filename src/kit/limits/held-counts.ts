/** Creates counts that are all 0. */
export function createHeldCounts() {
  const held = new Map<string, number>();
  const of = (key: string): number => held.get(key) ?? 0;
  return {
    /** How many are held under the key. */
    of,
    take: (key: string): void => {
      held.set(key, of(key) + 1);
    },
    release: (key: string): void => {
      if (of(key) > 1) held.set(key, of(key) - 1);
      else held.delete(key);
    },
  };
}
