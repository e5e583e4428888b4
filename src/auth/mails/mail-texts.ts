/** Texts of emails in the available languages. */
import type { Language } from "../../kit/text/languages.ts";
import type { TextValues } from "../../kit/text/message.ts";
import { type KeysOf, createTextBook } from "../../kit/text/text-book.ts";
import { authMails } from "../../texts/auth-mails.ts";

export type MailTextKey = KeysOf<typeof authMails>;

const inLanguage = createTextBook(authMails);

export function mailText(language: Language, key: MailTextKey, values?: TextValues): string {
  return inLanguage(language)(key, values);
}
