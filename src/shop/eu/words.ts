/**
 * Texts with wording required by law: the button that ends a checkout (Article 8(2) of Directive 2011/83/EU), what a
 * buyer agrees to before digital goods are handed over (Article 16, first paragraph, point (m)), the withdrawal
 * function and its second step (Article 11a), the price of Article 6a of Directive 98/6/EC.
 */
import { inEachLanguage } from "../../kit/text/languages.ts";
import { type KeysOf, type Texts, createTextBook } from "../../kit/text/text-book.ts";
import { shopEu } from "../../texts/shop-eu.ts";

/** Words of the law for the pages of a shop. */
export type EuWords = Texts<KeysOf<typeof shopEu>>["words"];

const inLanguage = createTextBook(shopEu);

/** The words of a language: "de-AT" gets German, an unknown one English. */
export function findEuWords(language: string): EuWords {
  return inLanguage(language).words;
}

/** The words by language. */
export const euWords = inEachLanguage(findEuWords);
