/** Times in answers. */
import { z } from "@hono/zod-openapi";

/** Epoch milliseconds as ISO 8601 with the offset of UTC. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

/** A time as {@link toIsoTime} writes it, or any other with an offset. */
export const isoTimeSchema = z.iso.datetime({ offset: true });
