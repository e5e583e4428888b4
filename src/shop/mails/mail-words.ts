/** The words of mails: titles and first sentences by kind of mail, and labels. */
import { type KeysOf, type Texts, createTextBook } from "../../kit/text/text-book.ts";
import { shopMails } from "../../texts/shop-mails.ts";

export type MailWords = Texts<KeysOf<typeof shopMails>>["words"];

/** The words of a language, and the language that they are in. */
export const findMailWords = createTextBook(shopMails);
