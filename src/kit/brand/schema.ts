/** The owner's colours and picture as settings hold them. */
import { z } from "zod";
import { type AccentTheme, COLOR_LENGTH, findAccentFault } from "./accent.ts";
import { findLogoFault } from "./logo.ts";

function accentOf(theme: AccentTheme) {
  return z
    .string()
    .regex(/^(?:#[\da-f]{6})?$/iu, "must be a color such as #0d6b5c, or empty")
    .superRefine((colour, context) => {
      const fault = colour.length === COLOR_LENGTH ? findAccentFault(colour, theme) : undefined;
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    })
    .default("");
}

/** One color for both themes; "" for none. */
export const colorSchema: z.ZodDefault<z.ZodString> = z
  .string()
  .regex(/^(?:#[\da-f]{6})?$/iu, "must be a color such as #0d6b5c, or empty")
  .default("");

/** The accent colour in each theme; empty: the product's own. */
export const accentSchema = z.strictObject({ light: accentOf("light"), dark: accentOf("dark") });

/** A PNG or SVG as a data address, or "". */
export const logoSchema: z.ZodString = z
  .string()
  .max(90_000)
  .superRefine((address, context) => {
    const fault = findLogoFault(address);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
