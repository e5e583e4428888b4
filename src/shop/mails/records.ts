import { defineCollection } from "../../store/store.ts";
import { mailTemplateRecordSchema, mailTextRecordSchema } from "./template-schema.ts";

/** The words of mails that an administrator changed. */
export const mailTemplates = defineCollection({
  name: "mailTemplates",
  revision: 1,
  schema: mailTemplateRecordSchema,
});

/** Long texts of mails, by their hash; see `mails/drafts.ts`. */
export const mailTexts = defineCollection({
  name: "mailTexts",
  revision: 1,
  schema: mailTextRecordSchema,
  ordered: { byKeptUntil: ["keptUntil"] },
});
