/** Responses with texts in Markdown. */
import { z } from "@hono/zod-openapi";

export const markdownPreviewSchema = z.object({ html: z.string() }).openapi("MarkdownPreview");
export type MarkdownPreview = z.infer<typeof markdownPreviewSchema>;
