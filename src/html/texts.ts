/** What pages say, in the languages that there are. */
import { type TextValues, fillText } from "../kit/text/fill-text.ts";
import type { Language } from "../kit/text/languages.ts";

/** The texts of a language, by their keys. */
export interface Texts<Key extends string> {
  /** The text of that name. */
  (key: Key, values?: TextValues): string;
  /** The same for a name that may have none. */
  find(key: string, values?: TextValues): string | undefined;
}

/** Creates what gives the texts of a language. */
export function createTextBook<Key extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Key, string>>>>,
): (language: Language) => Texts<Key> {
  const isKey = (key: string): key is Key => Object.hasOwn(texts.en, key);
  const open = (language: Language): Texts<Key> => {
    const say = (key: Key, values: TextValues = {}): string => fillText(texts[language][key], values);
    return Object.assign(say, {
      find: (key: string, values?: TextValues) => (isKey(key) ? say(key, values) : undefined),
    });
  };
  const books = { en: open("en"), zh: open("zh"), de: open("de") } satisfies Record<Language, Texts<Key>>;
  return (language) => books[language];
}
