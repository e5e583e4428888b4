/** The page's words in the reader's language; a component that shows some is drawn again in another one. */
import { signal } from "@preact/signals";
import english from "../locales/en.json" with { type: "json" };

/** Name of a text; every one stands in locales/en.json. */
export type TextName = keyof typeof english;
type Texts = Readonly<Partial<Record<TextName, string>>>;

const KEY = "language";
const rightToLeft = new Set(["ar", "fa", "he", "ur"]);
const state = signal<{ readonly language: string; readonly texts: Texts }>({
  language: "en",
  texts: english,
});

/** What the reader chose before, in this browser. */
function readChoice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

async function fetchTexts(language: string): Promise<Texts | undefined> {
  if (language === "en") return english;
  const response = await fetch(`/assets/locale-${language}.json`).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as Texts) : undefined;
}

/** Shows the page in `language`, and remembers that; an unknown language changes nothing. */
export async function chooseLanguage(language: string): Promise<void> {
  const texts = await fetchTexts(language);
  if (texts === undefined) return;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show(language, texts);
}

function show(language: string, texts: Texts): void {
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeft.has(language.split("-")[0] ?? "") ? "rtl" : "ltr";
  state.value = { language, texts };
}

/** Finds the reader's language: chosen before, or the first of the browser's that there is a file for. */
export async function loadTexts(): Promise<void> {
  const wanted = [readChoice(), ...navigator.languages.map((tag) => tag.split("-")[0])];
  for (const language of new Set(wanted)) {
    if (language === undefined) continue;
    const texts = await fetchTexts(language);
    if (texts === undefined) continue;
    show(language, texts);
    return;
  }
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
