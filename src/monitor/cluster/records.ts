/** Collections of the leader lease. */
import { z } from "zod";
import { defineCollection } from "../../store/store.ts";

/** Id of the one record in each. */
export const LEASE_ID = "lead";

/** Who the leader is; changes only with the leader. Read in every transaction that only the leader may write. */
export const leases = defineCollection({
  name: "leads",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    /** Empty when the last leader released it. */
    node: z.string(),
    /** Grows by one with each leader. */
    term: z.number().int(),
  }),
});

/** That the leader lives. Apart from `leases`, so that a renewal every two seconds conflicts with nothing. */
export const heartbeats = defineCollection({
  name: "leadPulses",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    term: z.number().int(),
    /** Grows by one with each renewal. */
    beat: z.number().int(),
    /** Whether the leader's messages reach other nodes. */
    isConnected: z.boolean(),
  }),
});
