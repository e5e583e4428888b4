import { z } from "zod";

/** Classes that have rates in the EU, and none at all. */
export const taxClasses = ["standard", "reduced", "intermediate", "super_reduced", "zero"] as const;

/** The tax class of a product: one of `taxClasses`, or the seller's own. */
export const taxClassSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/u, "must consist of lowercase letters, digits and underscores");
