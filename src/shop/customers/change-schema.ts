/** Changes of customers by administrators. */
import { z } from "zod";
import { profileFieldsSchema } from "./profile-schema.ts";
import { customerRecordSchema } from "./schema.ts";

const { name, company, phone, vatId, tags, addresses } = profileFieldsSchema.shape;

/** Corrections of what an import says; null takes a member away. */
export const profileChangeSchema = z.strictObject({
  name: name.unwrap().nullable().optional(),
  company: company.unwrap().nullable().optional(),
  phone: phone.unwrap().nullable().optional(),
  vatId: vatId.unwrap().nullable().optional(),
  tags: tags.optional(),
  addresses: addresses.optional(),
  /** A consent is only withdrawn here: a new one is the customer's to give. */
  marketing: z.null().optional(),
});
export type ProfileChange = z.infer<typeof profileChangeSchema>;

/** Changes of a customer; those of imported details need an imported customer. */
export const customerChangeSchema = z.strictObject({
  ...profileChangeSchema.shape,
  note: customerRecordSchema.shape.note.optional(),
  blocked: z.boolean().optional(),
  version: z.int().min(0).optional(),
});
export type CustomerChange = z.infer<typeof customerChangeSchema>;
