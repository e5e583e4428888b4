/** The collections of checks. */
import { defineCollection } from "../../store/store.ts";
import { checkEventSchema, checkRecordSchema, checkStandingSchema, checkUpgradeSchema } from "./schema.ts";

export const checks = defineCollection({
  name: "checks",
  revision: 1,
  schema: checkRecordSchema,
  unique: { pingKey: ["pingKey"] },
  ordered: { byGroup: ["group", "name"] },
});

/** The states of checks, one record each, written when they change. */
export const checkStandings = defineCollection({
  name: "checkStandings",
  revision: 1,
  schema: checkStandingSchema,
});

/** When checks went from one state to another. */
export const checkEvents = defineCollection({
  name: "checkEvents",
  revision: 1,
  schema: checkEventSchema,
  ordered: { byCheck: ["checkId", "at"], byAt: ["at"] },
});

/** Changes of stored checks that an upgrade made once, by name. */
export const checkUpgrades = defineCollection({
  name: "checkUpgrades",
  revision: 1,
  schema: checkUpgradeSchema,
});
