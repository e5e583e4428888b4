/** Random numbers from a seed: the same on every runtime, and apart for each purpose. */

/** A stream of random numbers (sfc32). */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, at least 0 and below `end`. */
  below(end: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A waiting time with this mean, as between independent events. */
  wait(mean: number): number;
  pick<T>(all: readonly [T, ...T[]]): T;
  fill(bytes: Uint8Array): void;
}

/** FNV-1a, for the seeds of streams and for traces. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The stream of a seed for one purpose. */
export function createRandom(seed: number, purpose: string): Random {
  let a = hashText(purpose);
  let b = seed | 0;
  let c = hashText(`${seed}`, a);
  let count = 1;
  const word = (): number => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) word();
  const next = (): number => word() / 2 ** 32;
  return {
    next,
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
    wait: (mean) => -Math.log(1 - next()) * mean,
    pick: (all) => all[Math.floor(next() * all.length)] ?? all[0],
    fill: (bytes) => {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = word() & 255;
    },
  };
}
