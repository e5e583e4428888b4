/** Response to an import of products. */
import { z } from "@hono/zod-openapi";
import { encodings } from "../../kit/files/decode-text.ts";

export const productImportReportSchema = z
  .object({
    dryRun: z.boolean(),
    created: z.int(),
    updated: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
    read: z
      .object({
        encoding: z.enum(encodings),
        separator: z.enum([",", ";", "\t", "|"]),
        sample: z.string().optional().openapi({ description: "First word with non-ASCII characters" }),
      })
      .optional()
      .openapi({ description: "How the CSV was parsed" }),
  })
  .openapi("ProductImportReport", {
    example: {
      dryRun: true,
      created: 2,
      updated: 1,
      errors: [{ line: 3, code: "invalid", message: "price: is required without variants" }],
      read: { encoding: "windows-1252", separator: ";", sample: "Größe" },
    },
  });
export type ProductImportReport = z.infer<typeof productImportReportSchema>;
