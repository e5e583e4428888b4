/** How mails leave, as the administration's routes give it, and the fields of its form. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  parseForm,
  pickFields,
  toForm,
} from "../../ui/settings/setting-fields.tsx";
import type { FieldSection } from "../site/settings-tab.tsx";

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
  { key: "enabled", label: "shop.mail.enabled", hint: "shop.mail.enabled.hint", kind: "tick" },
  { key: "host", label: "shop.mail.host", hint: "shop.mail.host.hint", kind: "line" },
  {
    key: "security",
    label: "shop.mail.security",
    kind: {
      choices: [
        { value: "starttls", label: "admin.mail.security.starttls" },
        { value: "tls", label: "admin.mail.security.tls" },
        { value: "none", label: "admin.mail.security.none" },
      ],
    },
  },
  { key: "port", label: "shop.mail.port", kind: { min: 1, max: 65_535 } },
  { key: "username", label: "shop.mail.username", kind: "line" },
  { key: "password", label: "shop.mail.password", hint: "shop.mail.password.hint", kind: "secret" },
];

const sender: readonly FieldSpec[] = [
  { key: "fromAddress", label: "shop.mail.from", hint: "shop.mail.from.hint", kind: "line" },
  { key: "fromName", label: "shop.mail.fromName", kind: "line" },
  { key: "replyTo", label: "shop.mail.replyTo", hint: "shop.mail.replyTo.hint", kind: "line" },
  { key: "adminAddress", label: "shop.mail.admin", hint: "shop.mail.admin.hint", kind: "line" },
];

const kinds: FieldSpec = {
  key: "notify",
  label: "shop.mail.notify",
  hint: "shop.mail.notify.hint",
  kind: {
    anyOf: [
      { value: "order_placed", label: "shop.mail.kind.order_placed" },
      { value: "order_paid", label: "shop.mail.kind.order_paid" },
      { value: "order_shipped", label: "shop.mail.kind.order_shipped" },
      { value: "order_delivered", label: "shop.mail.kind.order_delivered" },
      { value: "order_canceled", label: "shop.mail.kind.order_canceled" },
      { value: "order_expired", label: "shop.mail.kind.order_expired" },
      { value: "order_refunded", label: "shop.mail.kind.order_refunded" },
      { value: "withdrawal", label: "shop.mail.kind.withdrawal" },
      { value: "file_version", label: "shop.mail.kind.file_version" },
      { value: "restock", label: "shop.mail.kind.restock" },
      { value: "price_drop", label: "shop.mail.kind.price_drop" },
      { value: "chat_reply", label: "shop.mail.kind.chat_reply" },
    ],
  },
};

const own: FieldSpec = {
  key: "own",
  label: "shop.mail.own",
  hint: "shop.mail.own.hint",
  kind: {
    anyOf: [
      { value: "new_order", label: "shop.mail.kind.new_order" },
      { value: "new_message", label: "shop.mail.kind.new_message" },
      { value: "admin_attention", label: "shop.mail.kind.admin_attention" },
      { value: "dispute", label: "shop.mail.kind.dispute" },
      { value: "low_stock", label: "shop.mail.kind.low_stock" },
    ],
  },
};

/** The form in its parts. */
export const sections: readonly FieldSection[] = [
  { title: "shop.mail.server", fields: server },
  { title: "shop.mail.sender", fields: sender },
  { title: "shop.mail.kinds", fields: [kinds, own] },
];

/** All of its fields. */
export const specs: readonly FieldSpec[] = sections.flatMap(({ fields }) => fields);

/** The kinds of mails that a field has ticks for. */
function valuesOf({ kind }: FieldSpec): readonly string[] {
  return typeof kind === "object" && "anyOf" in kind ? kind.anyOf.map(({ value }) => value) : [];
}

function pick(view: SmtpView): Fields {
  const on = (spec: FieldSpec): string[] => valuesOf(spec).filter((value) => view.notify[value] === true);
  return { ...pickFields(specs, view), password: "", notify: on(kinds), own: on(own) };
}

function toBody({ password, notify, own: toOwner, ...rest }: Fields): object {
  const isTicked = (list: Fields[string] | undefined, value: string): boolean =>
    typeof list === "object" && list !== null && list.includes(value);
  const ticks = (spec: FieldSpec, list: Fields[string] | undefined): [string, boolean][] =>
    valuesOf(spec).map((value) => [value, isTicked(list, value)]);
  return {
    ...rest,
    notify: Object.fromEntries([...ticks(kinds, notify), ...ticks(own, toOwner)]),
    ...(password === "" || password === undefined ? {} : { password }),
  };
}

/** How the settings are edited; the password is sent when somebody typed one. */
export function toEdited(onSaved: () => void): Edited<SmtpView, Form, Fields> {
  return {
    pick,
    toForm: (fields) => toForm(specs, fields),
    parse: (form) => parseForm(specs, form),
    send: ({ version }, fields) =>
      adminRequest<SmtpView>(SMTP, { method: "PATCH", body: { ...toBody(fields), version } }).finally(
        onSaved,
      ),
    reload: () => adminRequest<SmtpView>(SMTP),
  };
}
