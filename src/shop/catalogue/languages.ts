/** In which language a product is shown. */
import type { ShownRecord } from "../categories/schema.ts";
import type { ProductRecord } from "../products/schema.ts";

/** The words of a product in one language. */
export interface ProductWords {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
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

/** The language of `languages` to answer in: the first of the ranges that fits, else the first one. */
export function chooseLanguage(languages: readonly string[], ranges: readonly string[]): string {
  for (const range of ranges) {
    const found = lookUp(range, languages);
    if (found !== undefined) return found;
  }
  return languages[0] ?? "en";
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

/** The words for a language, of those that are given by language; undefined for none. */
export function findWordsIn<T>(translations: Readonly<Record<string, T>>, language: string): T | undefined {
  const tag = lookUp(language, Object.keys(translations));
  return tag === undefined ? undefined : translations[tag];
}

/** The words of a category or a collection in a language; its own where a translation lacks them. */
export function shownWordsIn(
  { title, description, translations }: Pick<ShownRecord, "title" | "description" | "translations">,
  language: string,
): Pick<ShownRecord, "title" | "description"> {
  const tag = lookUp(language, Object.keys(translations));
  const words = tag === undefined ? undefined : translations[tag];
  return { title: words?.title ?? title, description: words?.description ?? description };
}
