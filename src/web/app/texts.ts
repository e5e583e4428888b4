/** The page's words in the reader's language; a component that shows some is drawn again in another one. */
import { signal } from "@preact/signals";
import english from "../locales/en.json" with { type: "json" };

/** Name of a text; every one stands in locales/en.json. */
export type TextName = keyof typeof english;
/** Texts of a language; those that it lacks are shown in English. */
export type Texts = Readonly<Partial<Record<TextName, string>>>;

const state = signal<{ readonly language: string; readonly texts: Texts }>({
  language: "en",
  texts: english,
});

/** From here on `texts` are shown, as those of `language`. */
export function setTexts(language: string, texts: Texts): void {
  state.value = { language, texts };
}

/** The language in which the page is shown, as a BCP 47 tag. */
export function currentLanguage(): string {
  return state.value.language;
}

function fill(words: string, values: Readonly<Record<string, string | number>>): string {
  return words.replaceAll(/\{(\w+)\}/gu, (whole, key: string) => String(values[key] ?? whole));
}

/** A text; `{name}` in it is replaced by the value of that name. */
export function text(name: TextName, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(state.value.texts[name] ?? english[name], values);
}

/** A text that stands beside what it names, in every language that it has. */
export interface Labels {
  readonly en: string;
  readonly [language: string]: string;
}

/** The same for texts that stand beside what they name. */
export function labelText(labels: Labels, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(labels[state.value.language] ?? labels.en, values);
}

/** Names that stand with a number: "fleet.servers" has "fleet.servers.one", "fleet.servers.other" and so on. */
type CountedName = TextName extends infer Name ? (Name extends `${infer Base}.other` ? Base : never) : never;

/** A text with `{count}` in it, in the form that the language has for that number (CLDR plural rules). */
export function countText(name: CountedName, count: number): string {
  const { language, texts } = state.value;
  const form = `${name}.${new Intl.PluralRules(language).select(count)}`;
  // A language may have forms that English lacks, such as "few".
  const found = (texts as Readonly<Record<string, string | undefined>>)[form];
  const shown = new Intl.NumberFormat(language).format(count);
  return found?.replaceAll("{count}", shown) ?? text(`${name}.other`, { count: shown });
}
