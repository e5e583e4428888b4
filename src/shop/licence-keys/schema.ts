/** Requests about license keys and shared secrets. */
import { z } from "zod";
import { text } from "../../kit/text/schemas.ts";

/** Keys of one request. */
export const MAX_KEYS = 10_000;

export const sharedSecretChangeSchema = z.strictObject({ value: text(10_000).min(1).nullable() });
