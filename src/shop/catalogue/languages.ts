/** In which language a product is shown. */
import type { ProductRecord } from "../products/schema.ts";

/** The words of a product in one language. */
export interface ProductWords {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
}

const MAX_RANGES = 20;

/** Language ranges of the header, the most wanted first; "*" and refused ones left out. */
function parseRanges(header: string): string[] {
  return header
    .slice(0, 1_000)
    .split(",", MAX_RANGES)
    .map((part) => {
      const [range = "", ...parameters] = part.split(";");
      const weight = parameters.map((text) => /^\s*q=([\d.]+)\s*$/u.exec(text)?.[1]).find(Boolean);
      return { range: range.trim(), quality: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ range, quality }) => range !== "" && range !== "*" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

/** The language of `languages` that a range means: itself, what it begins with, or what begins with it. */
function lookUp(range: string, languages: readonly string[]): string | undefined {
  const parts = range.toLowerCase().split("-");
  for (let length = parts.length; length > 0; length -= 1) {
    const wanted = parts.slice(0, length).join("-");
    const found = languages.find((language) => language.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  const base = parts[0] ?? "";
  return languages.find((language) => language.toLowerCase().startsWith(`${base}-`));
}

/** What a request says of languages: a word in the query goes before the header. */
export interface LanguageWish {
  readonly lang?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

/** The language of `languages` to answer in; the first one when nothing fits. */
export function chooseLanguage(languages: readonly string[], wish: LanguageWish): string {
  const [first = "en"] = languages;
  if (languages.length <= 1) return first;
  const asked = wish.lang === undefined ? undefined : lookUp(wish.lang, languages);
  if (asked !== undefined) return asked;
  for (const range of parseRanges(wish.acceptLanguage ?? "")) {
    const found = lookUp(range, languages);
    if (found !== undefined) return found;
  }
  return first;
}

/** The words of a product in a language; its own where a translation lacks them. */
export function wordsIn(product: ProductRecord, language: string): ProductWords {
  const { title, summary, description, translations } = product;
  const tag = lookUp(language, Object.keys(translations));
  const translation = tag === undefined ? undefined : translations[tag];
  return {
    title: translation?.title ?? title,
    summary: translation?.summary ?? summary,
    description: translation?.description ?? description,
  };
}
