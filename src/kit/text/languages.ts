/** The languages of pages: a line for each, and a folder of src/texts. */

/** Languages that there are texts for, each by its own name. */
export const languageNames = { en: "English", zh: "中文", de: "Deutsch" } as const;
export type Language = keyof typeof languageNames;
export const languages: readonly Language[] = Object.keys(languageNames) as Language[]; // its keys by declaration

/** The results of `make` by language. */
export function inEachLanguage<T>(make: (language: Language) => T): Readonly<Record<Language, T>> {
  const made = Object.fromEntries(languages.map((language) => [language, make(language)]));
  return made as Record<Language, T>; // one for each of them
}

/** The language of a tag such as "de-AT", or undefined when there are no texts in it. */
export function findLanguage(tag: string | undefined): Language | undefined {
  const primary = tag?.trim().split("-")[0]?.toLowerCase();
  return languages.find((language) => language === primary);
}
