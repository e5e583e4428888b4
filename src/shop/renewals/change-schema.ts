/** Requests about subscriptions by administrators. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";

const version = z.int().min(1).optional();

export const subscriptionMoveSchema = z.strictObject({ version });

export const subscriptionExtensionSchema = z.strictObject({ paidUntil: isoTimeMs, version });
