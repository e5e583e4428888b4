/** Schemas of amounts and currencies, apart from the sums, which browsers take without them. */
import { z } from "zod";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { MAX_AMOUNT } from "./money.ts";

/** An amount in minor units, not negative. */
export const amountSchema = z.number().int().min(0).max(MAX_AMOUNT);
fieldHints.add(amountSchema, { kind: "money" });

/** An amount of at least one unit. Of its own, because `amountSchema.min(1)` reports a negative amount twice. */
export const positiveAmountSchema = z.number().int().min(1).max(MAX_AMOUNT);
fieldHints.add(positiveAmountSchema, { kind: "money" });

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** An ISO 4217 code in capitals. */
export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/u, "must be a currency code such as EUR")
  .refine((code) => currencies.has(code), "is not an ISO 4217 currency");
