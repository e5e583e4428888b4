/** Answers about the home page for administrators. */
import { z } from "@hono/zod-openapi";
import { sectionProblems } from "./section-state.ts";

export const homePreviewSchema = z
  .object({
    html: z.string().openapi({ description: "The whole page" }),
    problems: z
      .array(z.object({ id: z.string(), problem: z.enum(sectionProblems) }))
      .openapi({ description: "Sections that are left out, with the reason" }),
  })
  .openapi("HomePreview");
export type HomePreview = z.infer<typeof homePreviewSchema>;
