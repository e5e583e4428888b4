/** The languages of pages, and which of them a request gets. */
import { toAcceptedLanguages } from "./accepted-languages.ts";

/** Languages that there are texts for, each by its own name. */
export const languageNames = { en: "English", zh: "中文", de: "Deutsch" } as const;
export type Language = keyof typeof languageNames;
export const languages: readonly Language[] = ["en", "zh", "de"];

/** The language of a tag such as "de-AT", or undefined when there are no texts in it. */
export function findLanguage(tag: string | undefined): Language | undefined {
  const primary = tag?.trim().split("-")[0]?.toLowerCase();
  return languages.find((language) => language === primary);
}

/** The first language of an Accept-Language header that there are texts for. */
export function findAcceptedLanguage(header: string | undefined): Language | undefined {
  return toAcceptedLanguages(header ?? "")
    .map(findLanguage)
    .find((language) => language !== undefined);
}

/** What a person chose here goes before what the account says, and that before what the browser asks for. */
export function chooseLanguage(asked: {
  readonly cookie: string | undefined;
  readonly account: string | undefined;
  readonly header: string | undefined;
  /** The site's own. */
  readonly site: Language;
}): Language {
  return (
    findLanguage(asked.cookie) ??
    findLanguage(asked.account) ??
    findAcceptedLanguage(asked.header) ??
    asked.site
  );
}
