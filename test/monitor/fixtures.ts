/** What the monitor's tests share: a clock that stands still, and a store in memory. */
import type { Clock } from "../../src/kit/clock.ts";
import type { Actor } from "../../src/monitor/audit.ts";
import { monitorCollections } from "../../src/monitor/records.ts";
import type { ServerFields } from "../../src/monitor/schema.ts";
import { serverFieldsSchema } from "../../src/monitor/schema.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";

export interface TestClock extends Clock {
  /** Lets time pass on both clocks. */
  advance(ms: number): void;
  /** Lets the wall clock jump; the monotonic one goes on. */
  jump(ms: number): void;
}

export const START = Date.UTC(2026, 0, 31, 12, 0, 0);

export function createTestClock(start: number = START): TestClock {
  let wall = start;
  let monotonic = 1_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance: (ms) => {
      wall += ms;
      monotonic += ms;
    },
    jump: (ms) => {
      wall += ms;
    },
  };
}

export function createTestStore(): Store {
  return createMemoryStore({ collections: monitorCollections });
}

export const actor: Actor = { name: "token", requestId: "req-1" };

export function fields(name: string, more: Partial<ServerFields> = {}): ServerFields {
  return serverFieldsSchema.parse({ name, ...more });
}
