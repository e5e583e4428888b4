/** What mails say, in the languages that there are. */
import { type TextValues, fillText } from "../../kit/text/fill-text.ts";
import type { Language } from "../../kit/text/languages.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import zh from "./texts/zh.json" with { type: "json" };

export type MailTextKey = keyof typeof en;

/** Each file has the same names: a missing one does not compile. */
const texts = { en, zh, de } satisfies Record<Language, Record<MailTextKey, string>>;

export function mailText(language: Language, key: MailTextKey, values: TextValues = {}): string {
  return fillText(texts[language][key], values);
}
