/** What the pages say, in the languages that there are. */
import { type Language } from "../../kit/text/languages.ts";
import { type Texts as PageTexts, createTextBook } from "../../html/texts.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import zh from "./texts/zh.json" with { type: "json" };

export type TextKey = keyof typeof en;

/** Each file has the same names: a missing one does not compile. */
const texts = { en, zh, de } satisfies Record<Language, Record<TextKey, string>>;

export type Texts = PageTexts<TextKey>;

export const createTexts = createTextBook<TextKey>(texts);
