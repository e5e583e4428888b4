/** In place of `node:timers/promises`. */
import * as timers from "./timers.ts";

export const setImmediate = <T>(value?: T): Promise<T | undefined> =>
  new Promise((resolve) => void timers.setImmediate(() => resolve(value)));

export const setTimeout = <T>(delayMs: number, value?: T): Promise<T | undefined> =>
  new Promise((resolve) => void timers.setTimeout(() => resolve(value), delayMs));
