/** The page's words in the reader's language; a component that shows some is drawn again in another one. */
import { signal } from "@preact/signals";
import { type TextValues, formatText } from "../../kit/text/message.ts";
import type kinds from "../../texts/en/monitor-kinds.json";
import type accounts from "../../texts/en/web-auth.json";
import type shop from "../../texts/en/web-shop.json";
import english from "../../texts/en/web.json" with { type: "json" };

/** Name of a text: those of web.json are of the dashboard and of what all consoles share. */
export type TextName = Extract<
  keyof typeof english | keyof typeof kinds | keyof typeof accounts | keyof typeof shop,
  string
>;
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

/** A text; places in it are filled with the values of their names, by the rules of its language. */
export function text(name: TextName, values?: TextValues): string {
  const { language, texts } = state.value;
  const own = texts[name];
  return formatText(own === undefined ? "en" : language, own ?? base[name] ?? name, values);
}

/** The same for a name that may have none, such as one made of a code of the service. */
export function findText(name: string, values?: TextValues): string | undefined {
  const { language, texts } = state.value;
  // Texts of the service's pages come with those of a console, and are no part of its own list.
  const found = (texts as Readonly<Record<string, string | undefined>>)[name];
  return found === undefined ? undefined : formatText(language, found, values);
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

/** A text next to what it labels, in every language that it has. */
export interface Labels {
  readonly en: string;
  readonly [language: string]: string;
}

/** The same for labels. */
export function labelText(labels: Labels, values?: TextValues): string {
  const { language } = state.value;
  return formatText(language, labels[language] ?? labels.en, values);
}

/** A text with a plural of `count` in it. */
export function countText(name: TextName, count: number): string {
  return text(name, { count });
}
