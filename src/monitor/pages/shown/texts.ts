/** Texts of status pages in the available languages. */
import { type KeysOf, type Texts as TextsOf, createTextBook } from "../../../kit/text/text-book.ts";
import { monitorPages } from "../../../texts/monitor-pages.ts";

export type TextKey = KeysOf<typeof monitorPages>;
export type Texts = TextsOf<TextKey>;

export const createTexts = createTextBook(monitorPages);
