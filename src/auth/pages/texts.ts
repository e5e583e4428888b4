/** Texts of the pages in the available languages. */
import { type KeysOf, type Texts as TextsOf, createTextBook } from "../../kit/text/text-book.ts";
import { authPages } from "../../texts/auth-pages.ts";

export type TextKey = KeysOf<typeof authPages>;
export type Texts = TextsOf<TextKey>;

export const createTexts = createTextBook(authPages);
