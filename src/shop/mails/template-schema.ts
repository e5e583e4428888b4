/** The words of mails as an administrator changed them, as the store keeps them. */
import { z } from "zod";
import { line, text, timeMs } from "../../kit/text/schemas.ts";

export const templateFieldsSchema = z.strictObject({
  subject: line(200).trim().min(1),
  text: text(20_000).trim().min(1),
});

export const mailTemplateRecordSchema = z.object({
  /** "order_paid de": kind and language. */
  id: z.string(),
  version: z.number().int(),
  ...templateFieldsSchema.shape,
  changedAt: timeMs,
});

/** A long text of mails, such as instructions of the law, under its hash. */
export const mailTextRecordSchema = z.object({
  /** SHA-256 of the text, in hex. */
  id: z.string(),
  version: z.number().int(),
  text: z.string(),
  keptUntil: timeMs,
});
