/** What goods are taxed by. */
import { z } from "zod";

/** Classes that have rates in the EU, and none at all. */
export const taxClasses = ["standard", "reduced", "intermediate", "super_reduced", "zero"] as const;

/** What goods are taxed by: one of `taxClasses`, or a word of the seller's own. */
export const taxClassSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/u, "must consist of lowercase letters, digits and underscores");
