/** What the former shop knew about a customer. Accounts and passwords are the auth center's alone. */
import { z } from "zod";
import { line, text, timeMs } from "../../kit/text/schemas.ts";
import { addressSchema } from "../base/postal-address.ts";

/** Tags of a customer. */
export const MAX_PROFILE_TAGS = 50;

/** An address as far as the former shop had it. */
export const profileAddressSchema = addressSchema.partial();
export type ProfileAddress = z.infer<typeof profileAddressSchema>;

/** What an import says about a customer; members that it does not say are absent. */
export const profileFieldsSchema = z.object({
  name: line(120).optional(),
  company: line(120).optional(),
  phone: line(40).optional(),
  vatId: line(40).optional(),
  tags: z.array(line(60)).max(MAX_PROFILE_TAGS),
  addresses: z.array(profileAddressSchema).max(10),
  /** Only with the time at which the customer agreed. */
  marketing: z.object({ agreedAt: timeMs, source: line(200) }).optional(),
  /** Customer since, at the former shop. */
  since: timeMs.optional(),
});
export type ProfileFields = z.infer<typeof profileFieldsSchema>;

/** The ID is that of the guest with this mailbox. */
export const customerProfileRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  email: text(254),
  emailLower: text(254),
  ...profileFieldsSchema.shape,
  /** The account that signed in with this email address, verified by the auth center. */
  account: z.string().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type CustomerProfile = z.infer<typeof customerProfileRecordSchema>;
