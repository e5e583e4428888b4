/** Requests about invites, and their views. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { languages } from "../../kit/text/languages.ts";
import { line } from "../../kit/text/schemas.ts";
import { emailSchema } from "../accounts/schema.ts";
import type { InviteRecord } from "./schema.ts";
import { domainSchema } from "../settings/schema.ts";

export const inviteStates = ["open", "used", "expired", "disabled"] as const;
export type InviteState = (typeof inviteStates)[number];

const maxUses = z.number().int().min(1).max(100_000);
const emailDomains = z.array(domainSchema).max(50);
const limits = {
  maxUses: maxUses.optional(),
  ttlDays: z.number().int().min(0).max(3_650).optional().describe("Days until the invite expires; 0: never"),
  expiresAt: isoTimeMs.optional(),
  boundEmail: emailSchema.optional(),
  emailDomains: emailDomains.optional(),
  note: line(200).optional(),
};

const onlyOneEnd = {
  path: ["ttlDays"],
  error: "cannot be combined with expiresAt",
};
function hasOneEnd(fields: { ttlDays?: number; expiresAt?: number }): boolean {
  return fields.ttlDays === undefined || fields.expiresAt === undefined;
}

/** Whether and how new codes are mailed. */
export const mailing = {
  mail: z
    .boolean()
    .default(true)
    .describe("Whether to send the invite to the email address that it is bound to"),
  language: z.enum(languages).optional().describe("Language of the email. Default: the language of the site"),
};

/** A new invite. */
export const newInviteSchema = z.strictObject({ ...limits, ...mailing }).refine(hasOneEnd, onlyOneEnd);
const { boundEmail: _one, ...limitsOfMany } = limits;
/** Many that are alike, or one for each of several addresses. */
export const bulkInvitesSchema = z
  .strictObject({
    ...limitsOfMany,
    ...mailing,
    count: z.number().int().min(1).max(500).optional(),
    boundEmail: emailSchema
      .optional()
      .describe("Email address for all invites of count. These invites are not sent by email"),
    boundEmails: z
      .array(emailSchema)
      .min(1)
      .max(100)
      .optional()
      .describe("Email addresses that each get one invite, instead of count"),
  })
  .refine(hasOneEnd, onlyOneEnd)
  .refine(({ count, boundEmails }) => (count === undefined) !== (boundEmails === undefined), {
    path: ["count"],
    error: "or boundEmails is required, but not both",
  })
  .refine(({ boundEmail, boundEmails }) => boundEmail === undefined || boundEmails === undefined, {
    path: ["boundEmail"],
    error: "cannot be combined with boundEmails",
  });
/** Some fields of an invite; what is absent stays. */
export const inviteChangeSchema = z.strictObject({
  maxUses: maxUses.optional(),
  expiresAt: isoTimeMs.nullable().optional(),
  boundEmail: emailSchema.nullable().optional(),
  emailDomains: emailDomains.optional(),
  note: line(200).optional(),
  enabled: z.boolean().optional(),
});

type InviteTimes = "expiresAt" | "createdAt" | "mailedAt";

/** An invite as answers have it, without the list of its uses. */
export type InviteView = Omit<InviteRecord, InviteTimes | "version" | "codeHash" | "uses"> & {
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly mailedAt?: string;
  readonly state: InviteState;
};

/** With its code, which is shown once. */
export type NewInviteView = InviteView & { readonly code: string; readonly url?: string };

/** A use of an invite; the name is absent if the account was deleted. */
export interface InviteUseView {
  readonly userId: string;
  readonly username?: string;
  readonly at: string;
}
