/** The page's words in the reader's language; a component that shows some is drawn again in another one. */
import { signal } from "@preact/signals";
import type accounts from "../auth/locales/en.json";
import type shop from "../shop/locales/en.json";
import english from "../locales/en.json" with { type: "json" };

/** Name of a text; every one stands in locales/en.json, or in that of a console with its own. */
export type TextName = Extract<keyof typeof english | keyof typeof accounts | keyof typeof shop, string>;
/** Texts of a language; those that it lacks are shown in English. */
export type Texts = Readonly<Partial<Record<TextName, string>>>;

/** English. In a browser what the first view does not need comes later: see firstTexts in scripts/web.ts. */
let base: Texts = english;

const state = signal<{ readonly language: string; readonly texts: Texts }>({
  language: "en",
  texts: english,
});

/** From here on `texts` are shown, as those of `language`. */
export function setTexts(language: string, texts: Texts): void {
  state.value = { language, texts };
}

/** The English texts that are there. */
export function englishTexts(): Texts {
  return base;
}

/** From here on English has these, too. */
export function addEnglish(texts: Texts): void {
  base = { ...base, ...texts };
  const { language, texts: shown } = state.peek();
  setTexts(language, language === "en" ? base : shown);
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
  return fill(state.value.texts[name] ?? base[name] ?? name, values);
}

/** The same for a name that may have none, such as one made of a code of the service. */
export function findText(
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string | undefined {
  // Texts of the service's pages come with those of a console, and are no part of its own list.
  const found = (state.value.texts as Readonly<Record<string, string | undefined>>)[name];
  return found === undefined ? undefined : fill(found, values);
}

/** Names of labels that have a hint: "admin.field.tags" has "admin.field.tags.hint". */
type HintedName = {
  [Name in TextName]: `${Name}.hint` extends TextName ? Name : never;
}[TextName];

/** The label of a control and the hint below it. */
export function withHint(name: HintedName): { readonly label: string; readonly hint: string } {
  return { label: text(name), hint: text(`${name}.hint`) };
}

/** The hint below a control with this label; undefined when it has none. */
export function findHint(label: TextName): string | undefined {
  return findText(`${label}.hint`);
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
