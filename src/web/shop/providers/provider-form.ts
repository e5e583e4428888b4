/** The form of a payment provider: what each of them has, and what its kind asks for. */
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import { namedProviderSchema } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKindView } from "../../../shop/payments/providers/answer-schema.ts";
import { type TextName, findText } from "../../app/texts.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import type { FieldForm, FieldName } from "../../ui/resource/form.ts";
import type { FieldRule } from "../../ui/resource/kind.ts";
import { translationsKind } from "../kinds/translations-kind.tsx";
import type { SiteFacts } from "../ui/site-facts.ts";
import { DEMO, GENERIC } from "./provider-data.ts";
import { askedKind, expiryKind } from "./provider-kinds.tsx";

type Rules<Names extends string> = { readonly [K in Names]?: FieldRule<SiteFacts> | false };
type OwnName = FieldName<typeof namedProviderSchema>;

const own = toFields(namedProviderSchema);

/** Rules of the fields that all providers share. */
function toRules(kind: string, isNew: boolean): Rules<OwnName> {
  return {
    word: isNew ? { json: { min: 1 }, missing: "fault.word" } : false,
    title: { missing: "admin.fault.title" },
    enabled: { label: kind === DEMO ? "shop.providers.demo.enabled" : "shop.ui.enabled" },
    kind: false,
    secret: false,
    options: false,
    credentials: false,
    // Only services that send the shop's own notifications have these two.
    requireWebhookSecret: kind === GENERIC ? {} : false,
    payUrlTemplate: kind === GENERIC ? {} : false,
    expiryMinutes: { kind: expiryKind },
    translations: {
      label: "shop.site.translations",
      kind: translationsKind<SiteFacts>({
        title: "shop.providers.title",
        instructions: "shop.providers.instructions",
      }),
    },
  };
}

/** The form for a kind; a new provider is also given its word. */
export function toProviderForm(
  { kind, form }: ProviderKindView,
  { isNew }: { readonly isNew: boolean },
): FieldForm<FieldsJson, SiteFacts> {
  const asked = Object.keys(form);
  const how = `shop.providers.how.${kind}`;
  const hints: readonly TextName[] = [
    // Its text is there.
    ...(findText(how) === undefined ? [] : [how as TextName]),
    "shop.providers.access.hint",
  ];
  const shared = ["requireWebhookSecret", "payUrlTemplate"];
  return {
    schema: { ...own, ...form },
    words: "shop.providers",
    fields: {
      ...toRules(kind, isNew),
      ...Object.fromEntries(asked.map((name) => [name, { kind: askedKind }])),
    },
    panels: [
      { title: "shop.ui.nameAndState", fields: ["title", "word", "enabled"] },
      { title: "shop.providers.access", hint: hints, fields: [...asked, ...shared] },
      { title: "shop.providers.buyers", fields: ["instructions", "expiryMinutes"] },
      { title: "shop.site.translations", hint: "shop.site.translations.hint", fields: ["translations"] },
    ],
  };
}
