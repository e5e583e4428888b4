/** A payment provider as it is typed: what its kind asks for, and what buyers read. */
import type { TextName } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { type Edited, parseWhole } from "../../ui/forms/parsed.ts";
import { SITE } from "../site/site-data.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";
import {
  type KindField,
  type KindView,
  type ProviderView,
  type ProvidersSite,
  DEMO,
  MANUAL,
  isGeneric,
  toKindTitle,
  toProviderPath,
} from "./provider-data.ts";

/** A provider with the version of the settings that it is part of. */
export interface Stored {
  readonly version: number;
  readonly provider: ProviderView;
  /** It is not there yet. */
  readonly isNew: boolean;
}

type Typed = string | boolean;

/** What is sent of a provider. */
export interface ProviderFields {
  readonly word: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly options: Readonly<Record<string, Typed>>;
  /** Those that were typed; what is left out stays. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly requireWebhookSecret: boolean;
  readonly payUrlTemplate: string;
  readonly instructions: string;
  readonly translations: TypedTranslations;
  readonly expiryMinutes: number | null;
}

/** The same as it is typed. */
export interface ProviderForm extends Omit<ProviderFields, "expiryMinutes"> {
  readonly expiryMinutes: string;
}

/** Thirty days. */
const MOST_MINUTES = 43_200;
const WORD = /^[a-z][a-z0-9]{0,39}$/u;

/** Options of a kind; the others of its fields are credentials. */
export function listOptions({ fields }: KindView): readonly KindField[] {
  return fields.filter(({ isHidden }) => !isHidden);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toOption({ schema }: KindField, value: unknown): Typed {
  const present = value ?? schema?.default ?? "";
  return typeof present === "number"
    ? String(present)
    : typeof present === "boolean"
      ? present
      : toText(present);
}

/** A provider of a kind that is not there yet: off until it was tried, where there is something to try. */
export function toBlank(kind: KindView, words: readonly string[]): ProviderView {
  let word = kind.kind === MANUAL ? "bank" : kind.kind;
  for (let number = 2; words.includes(word); number += 1) word = `${kind.kind}${number}`;
  return {
    word,
    kind: kind.kind,
    title: toKindTitle(kind),
    options: {},
    credentialsSet: [],
    enabled: kind.kind === MANUAL,
    requireWebhookSecret: true,
    payUrlTemplate: "",
    instructions: "",
    webhookPath: `/api/webhooks/${word}-pay`,
  };
}

function pick(kind: KindView, { provider, isNew }: Stored): ProviderFields {
  // One that is not there yet has no name: what is proposed can be saved as it is.
  const title = isNew ? "" : provider.title;
  const { word, enabled, requireWebhookSecret, payUrlTemplate, instructions } = provider;
  const options = listOptions(kind).map((field): [string, Typed] => [
    field.name,
    toOption(field, provider.options[field.name]),
  ]);
  return {
    word,
    title,
    enabled,
    requireWebhookSecret,
    payUrlTemplate,
    instructions,
    credentials: {},
    options: Object.fromEntries(options),
    translations: provider.translations ?? {},
    expiryMinutes: provider.expiryMinutes ?? null,
  };
}

function parse(
  form: ProviderForm,
  taken: readonly string[],
): ReturnType<Edited<Stored, ProviderForm, ProviderFields>["parse"]> {
  const faults = new Map<string, TextName>();
  const isUnset = form.expiryMinutes.trim() === "";
  const minutes = isUnset ? null : parseWhole(form.expiryMinutes, { min: 1, max: MOST_MINUTES });
  if (minutes === undefined) faults.set("/expiryMinutes", "admin.fault.number");
  if (form.title.trim() === "") faults.set("/title", "admin.fault.title");
  if (!WORD.test(form.word)) faults.set("/word", "shop.providers.word.fault");
  else if (taken.includes(form.word)) faults.set("/word", "shop.providers.word.taken");
  if (faults.size > 0) return { ok: false, faults };
  const options = Object.entries(form.options).map(([name, typed]): [string, Typed] => [
    name,
    typeof typed === "string" ? typed.trim() : typed,
  ]);
  const typed = Object.entries(form.credentials).filter(([, secret]) => secret.trim() !== "");
  return {
    ok: true,
    fields: {
      ...form,
      title: form.title.trim(),
      payUrlTemplate: form.payUrlTemplate.trim(),
      options: Object.fromEntries(options),
      credentials: Object.fromEntries(typed.map(([name, secret]) => [name, secret.trim()])),
      translations: toTranslations(form.translations),
      expiryMinutes: minutes ?? null,
    },
  };
}

/** What is said of a provider of this kind in a request. */
function toBody({ word: _word, ...fields }: ProviderFields, { kind, word }: ProviderView): object {
  const { options, requireWebhookSecret, payUrlTemplate, credentials, ...rest } = fields;
  if (word === DEMO) return { ...rest };
  if (isGeneric({ kind })) return { ...rest, kind, credentials, requireWebhookSecret, payUrlTemplate };
  // An option that is left empty and has a default gets that.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
  return { ...rest, kind, credentials, options: given };
}

async function readStored(word: string): Promise<Stored> {
  const site = await adminRequest<ProvidersSite>(SITE);
  const provider = site.paymentProviders.find((one) => one.word === word);
  // Somebody removed it: the service says so in its own words.
  return {
    version: site.version,
    provider: provider ?? (await adminRequest<ProviderView>(toProviderPath(word))),
    isNew: false,
  };
}

/** How a provider is edited; `taken` are the words of all others. */
export function toEdited(
  kind: KindView,
  { taken, onSaved }: { readonly taken: readonly string[]; readonly onSaved: () => void },
): Edited<Stored, ProviderForm, ProviderFields> {
  return {
    pick: (stored) => pick(kind, stored),
    toForm: (fields) => ({
      ...fields,
      expiryMinutes: fields.expiryMinutes === null ? "" : String(fields.expiryMinutes),
    }),
    parse: (form) => parse(form, taken),
    send: async ({ provider, version, isNew }, fields) => {
      const method = isNew ? "PUT" : "PATCH";
      const body = toBody(fields, provider);
      await adminRequest(toProviderPath(fields.word), { method, body, version });
      onSaved();
      return readStored(fields.word);
    },
    reload: ({ provider, isNew }) =>
      isNew
        ? adminRequest<ProvidersSite>(SITE).then(({ version }) => ({ version, provider, isNew }))
        : readStored(provider.word),
  };
}
