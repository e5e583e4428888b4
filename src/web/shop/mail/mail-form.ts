/** How mails leave, as the administration's routes give it, and the fields of its form. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  pickFields,
  editFields,
  listValues,
} from "../../ui/settings/setting-specs.ts";
import type { FieldSection } from "../site/site-data.ts";

export const SMTP = "/api/admin/smtp";

/** GET /api/admin/smtp. */
export interface SmtpView {
  readonly version: number;
  readonly enabled: boolean;
  readonly host: string;
  readonly port: number;
  readonly adminAddress: string;
  readonly passwordSet: boolean;
  readonly source: "settings" | "environment" | "none";
  readonly notify: Readonly<Record<string, boolean>>;
}

const server: readonly FieldSpec[] = [
  { key: "enabled", label: "shop.mail.enabled", kind: "tick" },
  { key: "host", label: "shop.mail.host", kind: "line" },
  {
    key: "security",
    label: "admin.mail.security",
    kind: { choices: ["starttls", "tls", "none"], words: "admin.mail.security" },
  },
  { key: "port", label: "admin.field.port", kind: { min: 1, max: 65_535 } },
  { key: "username", label: "admin.mail.user", kind: "line" },
  { key: "password", label: "shop.mail.password", kind: "secret" },
];

const sender: readonly FieldSpec[] = [
  { key: "fromAddress", label: "shop.mail.from", kind: "line" },
  { key: "fromName", label: "shop.mail.fromName", kind: "line" },
  { key: "replyTo", label: "shop.mail.replyTo", kind: "line" },
  { key: "adminAddress", label: "shop.mail.admin", kind: "line" },
];

const kinds: FieldSpec = {
  key: "notify",
  label: "shop.mail.notify",
  kind: {
    anyOf: [
      "order_placed",
      "order_paid",
      "order_shipped",
      "order_delivered",
      "order_canceled",
      "order_expired",
      "order_refunded",
      "withdrawal",
      "file_version",
      "restock",
      "price_drop",
      "chat_reply",
    ],
    words: "shop.mails.kind",
  },
};

const own: FieldSpec = {
  key: "own",
  label: "shop.mail.own",
  kind: {
    anyOf: ["new_order", "new_message", "admin_attention", "dispute", "low_stock"],
    words: "shop.mails.kind",
  },
};

/** The form in its parts. */
export const sections: readonly FieldSection[] = [
  { title: "shop.mail.server", fields: server },
  { title: "shop.mail.sender", fields: sender },
  { title: "shop.mails.kind", fields: [kinds, own] },
];

/** All of its fields. */
export const specs: readonly FieldSpec[] = sections.flatMap(({ fields }) => fields);

function pick(view: SmtpView): Fields {
  const on = (spec: FieldSpec): string[] => listValues(spec).filter((value) => view.notify[value] === true);
  return { ...pickFields(specs, view), password: "", notify: on(kinds), own: on(own) };
}

function toBody({ password, notify, own: toOwner, ...rest }: Fields): object {
  const isTicked = (list: Fields[string] | undefined, value: string): boolean =>
    typeof list === "object" && list !== null && list.includes(value);
  const ticks = (spec: FieldSpec, list: Fields[string] | undefined): [string, boolean][] =>
    listValues(spec).map((value) => [value, isTicked(list, value)]);
  return {
    ...rest,
    notify: Object.fromEntries([...ticks(kinds, notify), ...ticks(own, toOwner)]),
    ...(password === "" || password === undefined ? {} : { password }),
  };
}

/** How the settings are edited; the password is sent when somebody typed one. */
export function toEdited(onSaved: () => void): Edited<SmtpView, Form, Fields> {
  return {
    ...editFields(specs),
    pick,
    send: ({ version }, fields) =>
      adminRequest<SmtpView>(SMTP, { method: "PATCH", body: { ...toBody(fields), version } }).finally(
        onSaved,
      ),
    reload: () => adminRequest<SmtpView>(SMTP),
  };
}
