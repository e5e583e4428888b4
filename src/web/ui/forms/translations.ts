/** Words in several languages as somebody types them, and what is sent of them. */

/** By language tag, then by name; "" is the same as none. */
export type TypedTranslations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The request value, without empty texts and languages. */
export function toTranslations(typed: TypedTranslations): Record<string, Record<string, string>> {
  const languages = Object.entries(typed).map(([language, words]): [string, Record<string, string>] => [
    language,
    Object.fromEntries(Object.entries(words).filter(([, word]) => word.trim() !== "")),
  ]);
  return Object.fromEntries(languages.filter(([, words]) => Object.keys(words).length > 0));
}
