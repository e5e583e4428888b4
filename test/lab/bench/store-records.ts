/** What the store's benchmarks change: 500-byte records with an ordered index. */
import { z } from "zod";
import { defineCollection } from "../../../src/store/store.ts";

/** Callers at once, each waiting for its answer. */
export const CALLERS = 64;

export const records = defineCollection({
  name: "records",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    group: z.string(),
    rank: z.number(),
    hits: z.number().int(),
    text: z.string(),
  }),
  ordered: { byGroup: ["group", "rank"] },
});

const text = "x".repeat(410);

/** The fields of the record with this number. */
export function toFields(n: number): { group: string; rank: number; hits: number; text: string } {
  return { group: `g${n % 100}`, rank: n, hits: 0, text };
}
