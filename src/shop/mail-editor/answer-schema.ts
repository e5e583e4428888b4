/** What answers have of email templates. */
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
    text: z.string().openapi({ description: "Paragraphs with an empty line between them" }),
    isChanged: z.boolean(),
    version: z.int().openapi({ description: "0 while nobody changed them; also the ETag" }),
    values: z.array(z.string()).openapi({ description: "What is filled in within a sentence: {number}" }),
    blocks: z
      .array(z.string())
      .openapi({ description: "What is filled in as a paragraph of its own, such as {order}" }),
    needed: z.array(z.string()).openapi({ description: "Blocks that the text must have" }),
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
