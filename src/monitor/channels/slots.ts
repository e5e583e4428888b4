/** Some work at once, the rest in the order in which it came. */

/** Runs `work` when a slot is free. */
export type Slots = <R>(work: () => Promise<R>) => Promise<R>;

/** Creates `count` slots. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A slot goes to the next one without being free in between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
