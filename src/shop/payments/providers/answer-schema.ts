/** Responses about the kinds of payment providers, and a test of one. */
import { z } from "@hono/zod-openapi";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import { inEachLanguage } from "../../../kit/text/languages.ts";
import { faultParts } from "./provider.ts";

export const providerTestSchema = z
  .object({
    result: z.enum(["ok", "failed"]),
    message: z.string(),
    said: z.string().openapi({ description: "Response of the payment provider" }),
    part: z.enum(faultParts).optional().openapi({ description: "The invalid part of the settings" }),
  })
  .openapi("ProviderTest");
export type ProviderTest = z.infer<typeof providerTestSchema>;

const fieldText = z.object(inEachLanguage(() => z.string()));
export const providerKindsSchema = z
  .object({
    items: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        documentation: z.string(),
        currencies: z
          .array(z.string())
          .optional()
          .openapi({ description: "Supported currencies; absent: all" }),
        can: z.array(z.enum(["begin", "notices", "ask", "cancel", "refund"])).openapi({
          description: "Features of the payment provider. Without refunds, refunds are only recorded",
        }),
        fields: z.array(
          z.object({
            name: z.string(),
            label: fieldText,
            hint: fieldText.optional(),
            isHidden: z
              .boolean()
              .openapi({ description: "Whether the field is a credential; other fields are options" }),
            needed: z.boolean(),
            schema: z.record(z.string(), z.unknown()).optional().openapi({ description: "JSON Schema" }),
          }),
        ),
        form: z.custom<FieldsJson>().openapi({
          type: "object",
          additionalProperties: { type: "object" },
          description: "The same fields as the console draws them, by their path in a request",
        }),
      }),
    ),
  })
  .openapi("ProviderKinds");
export type ProviderKinds = z.infer<typeof providerKindsSchema>;
export type ProviderKindView = ProviderKinds["items"][number];
