/** Email templates: where they are, and how the words of one are edited. */
import type { MailWords } from "../../../shop/mail-editor/answer-schema.ts";
import { templateFieldsSchema } from "../../../shop/mails/template-schema.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { makeForm, pickFields, readForm, toTyped } from "../../ui/resource/form.ts";
import type { Form } from "../../ui/resource/kind.ts";

export const MAILS = "/api/admin/mails";

/** Where a template is. */
export function toWordsPath({ kind, language }: Pick<MailWords, "kind" | "language">, action = ""): string {
  return `${MAILS}/${kind}/${language}${action}`;
}

export const wordsForm = makeForm({
  schema: templateFieldsSchema,
  words: "shop.mails",
  fields: {
    subject: { label: "admin.queue.subject", missing: "admin.fault.empty" },
    text: { json: { long: true }, missing: "admin.fault.empty" },
  },
});

type Fields = Readonly<Record<string, unknown>>;

/** How a template is edited. */
export function toEdited(onSaved: () => void): Edited<MailWords, Form, Fields> {
  return {
    pick: (stored) => pickFields(wordsForm, stored),
    toForm: (fields) => toTyped(wordsForm, fields, undefined),
    parse: (typed, before) => readForm(wordsForm, typed, { context: undefined, before }),
    send: (from, body) =>
      adminRequest<MailWords>(toWordsPath(from), { method: "PUT", body, version: from.version }).finally(
        onSaved,
      ),
    reload: (from) => adminRequest<MailWords>(toWordsPath(from)),
  };
}
