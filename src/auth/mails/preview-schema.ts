/** Email previews for administrators. */
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
    .describe(
      "A complete HTML document with inline styles and without scripts. Show it in a sandboxed iframe",
    ),
});
export type MailPreview = Readonly<z.infer<typeof mailPreviewSchema>>;
