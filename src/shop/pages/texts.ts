/** What the storefront says, in the languages that there are: a folder of texts for each part of it. */
import { type Texts as PageTexts, createTextBook } from "../../html/texts.ts";
import { type Language } from "../../kit/text/languages.ts";
import buyingDe from "./texts/buying/de.json" with { type: "json" };
import buyingEn from "./texts/buying/en.json" with { type: "json" };
import buyingZh from "./texts/buying/zh.json" with { type: "json" };
import catalogueDe from "./texts/catalogue/de.json" with { type: "json" };
import catalogueEn from "./texts/catalogue/en.json" with { type: "json" };
import catalogueZh from "./texts/catalogue/zh.json" with { type: "json" };
import chatDe from "./texts/chat/de.json" with { type: "json" };
import chatEn from "./texts/chat/en.json" with { type: "json" };
import chatZh from "./texts/chat/zh.json" with { type: "json" };
import frameDe from "./texts/frame/de.json" with { type: "json" };
import frameEn from "./texts/frame/en.json" with { type: "json" };
import frameZh from "./texts/frame/zh.json" with { type: "json" };
import personalDe from "./texts/personal/de.json" with { type: "json" };
import personalEn from "./texts/personal/en.json" with { type: "json" };
import personalZh from "./texts/personal/zh.json" with { type: "json" };

const en = { ...frameEn, ...catalogueEn, ...buyingEn, ...personalEn, ...chatEn };
export type TextKey = keyof typeof en;

/** Each language has the same names: a missing one does not compile. */
const texts = {
  en,
  zh: { ...frameZh, ...catalogueZh, ...buyingZh, ...personalZh, ...chatZh },
  de: { ...frameDe, ...catalogueDe, ...buyingDe, ...personalDe, ...chatDe },
} satisfies Record<Language, Record<TextKey, string>>;

export type Texts = PageTexts<TextKey>;

export const createTexts = createTextBook<TextKey>(texts);
