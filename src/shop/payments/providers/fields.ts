/** Fields of the console's form, said in one line each. */
import type { ProviderField } from "./provider.ts";

/** A text in the console's languages: English, Chinese, German. */
export type Words = readonly [en: string, zh: string, de: string];

function toWords([en, zh, de]: Words): ProviderField["label"] {
  return { en, zh, de };
}

/** A field that is shown again. */
export function openField(name: string, label: Words, hint?: Words): ProviderField {
  return {
    name,
    label: toWords(label),
    ...(hint === undefined ? {} : { hint: toWords(hint) }),
    isSecret: false,
  };
}

/** A field that is sealed and never shown again. */
export function secretField(name: string, label: Words, hint?: Words): ProviderField {
  return { ...openField(name, label, hint), isSecret: true };
}
