/** What the store's tests share: two collections with everything that a declaration can have. */
import assert from "node:assert/strict";
import { z } from "zod";
import { type StoreErrorCode, defineCollection, StoreError } from "../../src/store/store.ts";

const item = z.object({
  id: z.string(),
  version: z.number().int(),
  owner: z.string().nullable().optional(),
  rank: z.number(),
  email: z.string().nullable().optional(),
  stock: z.object({ onHand: z.number().int(), reserved: z.number().int() }).optional(),
  note: z.unknown().optional(),
});

/** A collection with an index of every kind and a rule. */
export const items = defineCollection({
  name: "items",
  revision: 1,
  schema: item,
  unique: { byEmail: ["email"] },
  ordered: { byOwner: ["owner", "rank"], byRank: ["rank"] },
  checks: {
    reservedWithinStock: { field: "stock.reserved", atLeast: 0, atMost: { field: "stock.onHand" } },
  },
});

/** A second collection, for what spans two. */
export const counters = defineCollection({
  name: "counters",
  revision: 1,
  schema: z.object({ id: z.string(), version: z.number().int(), value: z.number() }),
});

/** Asserts that a promise fails with a StoreError of this code, and gives the error. */
export async function rejectsWith(promise: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof StoreError, `expected a StoreError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}`);
}
