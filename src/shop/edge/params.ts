/** Parameters that many routes have. */
import { z } from "@hono/zod-openapi";

export function idParams(example: string) {
  return z.object({
    id: z
      .string()
      .min(1)
      .max(100)
      .openapi({ param: { name: "id", in: "path" }, example }),
  });
}
