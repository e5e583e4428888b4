/** Until when people may sign in without a second factor where everyone needs one. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

const DAY_MS = 86_400_000;

/** Whether everyone needs a second factor, and from when on. */
export const requireTwoFactorSchema = z.strictObject({
  on: z.boolean().default(false).describe("Whether all users must set up an authenticator app or a passkey"),
  graceDays: z
    .int()
    .min(0)
    .max(365)
    .default(14)
    .describe(
      "Grace period in days, from when this setting was enabled or the account was created, whichever is later",
    ),
  since: isoTimeSchema
    .optional()
    .describe("Time when this setting was enabled. Read-only: values in requests are ignored"),
});
export type RequireTwoFactor = z.infer<typeof requireTwoFactorSchema>;

/** The end of an account's grace period, epoch milliseconds; undefined if no second factor is required. */
export function findGraceEnd(
  { on, graceDays, since }: RequireTwoFactor,
  { createdAt }: { readonly createdAt: number },
): number | undefined {
  if (!on) return undefined;
  return Math.max(since === undefined ? 0 : Date.parse(since), createdAt) + graceDays * DAY_MS;
}

/** The setting after a change: switched on, it counts from now. */
export function stampRequirement(
  before: RequireTwoFactor,
  after: RequireTwoFactor,
  nowIso: string,
): RequireTwoFactor {
  const { since: _sent, ...rest } = after;
  if (!after.on) return rest;
  return { ...rest, since: before.on && before.since !== undefined ? before.since : nowIso };
}
