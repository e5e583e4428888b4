/** Console texts of the fields of payment providers, and the texts that these get about an order. */
import { type Language, inEachLanguage } from "../../kit/text/languages.ts";
import { createTextBook } from "../../kit/text/text-book.ts";
import { shopProviders } from "../../texts/shop-providers.ts";
import type { ProviderField } from "./providers/provider.ts";

export const providerTexts = createTextBook(shopProviders);

type Labels = Readonly<Record<Language, string>>;

/** Label and hint of a field in each language, as the API gives them. */
export function describeField(
  kind: string,
  { name, events = [] }: ProviderField,
): { readonly label: Labels; readonly hint?: Labels } {
  const say = (key: string, language: Language): string | undefined => {
    const t = providerTexts(language);
    return t.find(key, { events: events.join(t("events.comma")) });
  };
  const key = `provider.${kind}.${name}`;
  const label = inEachLanguage((language) => say(key, language) ?? name);
  if (say(`${key}.hint`, "en") === undefined) return { label };
  return { label, hint: inEachLanguage((language) => say(`${key}.hint`, language) ?? "") };
}
