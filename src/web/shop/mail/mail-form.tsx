/** How mails leave, as the administration's routes give it, and the fields of its form. */
import { type MailKind, smtpSettingsSchema } from "../../../shop/site/schema.ts";
import { findHint, text } from "../../app/texts.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { type Kind, toTexts } from "../../ui/resource/kind.ts";
import { choiceKind, sayPlain } from "../../ui/resource/kinds.tsx";
import { secretKind } from "../../ui/resource/secret-kinds.tsx";
import { TickList } from "../../ui/resource/set-kinds.tsx";

export const SMTP = "/api/admin/smtp";

/** Kinds of mails to buyers, and to the owner. */
const toBuyers: readonly MailKind[] = [
  "order_placed",
  "order_paid",
  "order_shipped",
  "order_delivered",
  "order_canceled",
  "order_expired",
  "order_refunded",
  "order_edited",
  "withdrawal",
  "file_version",
  "restock",
  "price_drop",
  "chat_reply",
];
const toOwner: readonly MailKind[] = ["new_order", "new_message", "admin_attention", "dispute", "low_stock"];

function listOn(value: unknown): string[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.flatMap(([kind, isOn]) => (isOn === true ? [kind] : []));
}

/** Which kinds of mails are sent: a tick each, those to buyers apart from the owner's. */
function notifyKind<C>(): Kind<C> {
  return {
    blank: [],
    toTyped: listOn,
    read: (typed) => {
      const on = toTexts(typed);
      return {
        value: Object.fromEntries([...toBuyers, ...toOwner].map((kind) => [kind, on.includes(kind)])),
      };
    },
    Field: ({ value, error, onChange }) => {
      const on = toTexts(value);
      const parts = [
        ["shop.mail.notify", toBuyers],
        ["shop.mail.own", toOwner],
      ] as const;
      return (
        <>
          {parts.map(([label, kinds]) => (
            <TickList
              key={label}
              label={text(label)}
              hint={findHint(label)}
              error={error}
              choices={kinds.map((kind) => ({ value: kind, label: text(`shop.mails.kind.${kind}`) }))}
              value={on}
              onChange={onChange}
            />
          ))}
        </>
      );
    },
    say: (value) => sayPlain(listOn(value)),
  };
}

/** The form. */
export const mailForm = makeForm({
  schema: smtpSettingsSchema,
  words: "shop.mail",
  only: "panels",
  panels: [
    {
      title: "shop.mail.server",
      fields: [
        "enabled",
        "host",
        {
          name: "security",
          label: "admin.mail.security",
          kind: choiceKind({ as: "list" }),
          json: { choices: ["starttls", "tls", "none"] },
        },
        { name: "port", label: "admin.field.port" },
        { name: "username", label: "admin.mail.user" },
        { name: "password", kind: secretKind },
      ],
    },
    {
      title: "shop.mail.sender",
      fields: [
        { name: "fromAddress", label: "shop.mail.from" },
        "fromName",
        "replyTo",
        { name: "adminAddress", label: "shop.mail.admin" },
      ],
    },
    { title: "shop.mails.kind", fields: [{ name: "notify", kind: notifyKind }] },
  ],
});
