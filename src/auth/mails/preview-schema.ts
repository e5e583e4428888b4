/** What mails say, for administrators. */
import { z } from "zod";
import { languages } from "../../kit/text/languages.ts";

/** A mail as it would be sent; nothing in it opens anything. */
export const mailPreviewSchema = z.object({
  kind: z.string(),
  language: z.enum(languages),
  subject: z.string(),
  text: z.string(),
  html: z
    .string()
    .describe("A whole document with inline styles and no scripts; show it in a sandboxed frame"),
});
export type MailPreview = Readonly<z.infer<typeof mailPreviewSchema>>;
