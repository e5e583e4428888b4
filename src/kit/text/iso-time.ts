/** Times as HTTP answers and requests have them: ISO 8601 with an offset. Logic and records keep epoch milliseconds. */
import { z } from "zod";

/** A time as {@link toIsoTime} writes it, or any other with an offset. */
export const isoTimeSchema: z.ZodISODateTime = z.iso.datetime({ offset: true });

/** A time of a request as epoch milliseconds. */
export const isoTimeMs: z.ZodCodec<z.ZodISODateTime, z.ZodNumber> = z.codec(isoTimeSchema, z.number().int(), {
  decode: (text) => Date.parse(text),
  encode: (ms) => toIsoTime(ms),
});

/** Epoch milliseconds as ISO 8601 with the offset of UTC. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

/** The same of a time that may be absent. */
export function toIsoTimeIfAny(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : toIsoTime(ms);
}
