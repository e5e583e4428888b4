/** Responses about email templates. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { mailLanguages, templateKindNames } from "../mails/template-kinds.ts";

const nameShape = {
  kind: z.enum(templateKindNames).openapi({ example: "order_placed" }),
  language: z.enum(mailLanguages).openapi({ example: "en" }),
};
export const wordsSummarySchema = z
  .object({ ...nameShape, subject: z.string(), isChanged: z.boolean() })
  .openapi("MailWordsSummary");
export const mailWordsListSchema = pageSchema(wordsSummarySchema);
export type MailWordsList = z.infer<typeof mailWordsListSchema>;

export const mailWordsSchema = z
  .object({
    ...nameShape,
    subject: z.string(),
    text: z.string().openapi({ description: "Paragraphs, separated by empty lines" }),
    isChanged: z.boolean(),
    version: z.int().openapi({ description: "Version, 0 for the default text; also the ETag" }),
    values: z.array(z.string()).openapi({ description: "Placeholders within a sentence, such as {number}" }),
    blocks: z
      .array(z.string())
      .openapi({ description: "Placeholders that form a paragraph, such as {order}" }),
    needed: z.array(z.string()).openapi({ description: "Required block placeholders" }),
  })
  .openapi("MailWords");
export type MailWords = z.infer<typeof mailWordsSchema>;

export const mailPreviewSchema = z
  .object({
    subject: z.string(),
    text: z.string(),
    html: z.string().openapi({
      description:
        "A complete HTML document with inline styles and without scripts. Show it in a sandboxed iframe",
    }),
  })
  .openapi("MailPreview");
export type MailPreview = z.infer<typeof mailPreviewSchema>;

/** The address that a test went to. */
export const mailTestedSchema = z.object({ to: z.string() });
export type MailTested = z.infer<typeof mailTestedSchema>;
