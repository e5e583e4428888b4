/** The collections that say which node leads. */
import { z } from "zod";
import { defineCollection } from "../../store/store.ts";

/** The one record of each. */
export const LEAD = "lead";

/** Who leads; changes with each leader alone. Read in the transactions of what only the leader writes. */
export const leads = defineCollection({
  name: "leads",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    /** Empty when the last leader gave it back. */
    node: z.string(),
    /** Grows by one with each leader. */
    term: z.number().int(),
  }),
});

/** That the leader lives; changes every two seconds, apart from who it is, so that renewals conflict with nothing. */
export const leadPulses = defineCollection({
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
