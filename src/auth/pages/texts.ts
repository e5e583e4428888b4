/** What the pages say, in the languages that there are. */
import { type Language } from "../../kit/text/languages.ts";
import { type TextValues, fillText } from "../../kit/text/fill-text.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import zh from "./texts/zh.json" with { type: "json" };

export type TextKey = keyof typeof en;

/** Each file has the same names: a missing one does not compile. */
const texts = { en, zh, de } satisfies Record<Language, Record<TextKey, string>>;

function isKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

export interface Texts {
  /** The text of that name. */
  (key: TextKey, values?: TextValues): string;
  /** The same for a name that may have none. */
  find(key: string, values?: TextValues): string | undefined;
}

/** The texts of a language. */
export function createTexts(language: Language): Texts {
  const say = (key: TextKey, values: TextValues = {}): string => fillText(texts[language][key], values);
  return Object.assign(say, {
    find: (key: string, values?: TextValues) => (isKey(key) ? say(key, values) : undefined),
  });
}
