/**
 * Legal texts of emails about a contract: the instructions and the form of Annex I to Directive 2011/83/EU (as amended
 * by Directive (EU) 2023/2673) and the texts around them.
 */
import { type KeysOf, type Texts, createTextBook } from "../../kit/text/text-book.ts";
import { shopLegal } from "../../texts/shop-legal.ts";

export type LegalTexts = Texts<KeysOf<typeof shopLegal>>;

/** The texts of a language: "de-AT" gets German, an unknown one English. */
export const findLegalTexts = createTextBook(shopLegal);
