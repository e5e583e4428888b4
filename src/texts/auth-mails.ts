// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/auth-mails.json" with { type: "json" };
import en from "./en/auth-mails.json" with { type: "json" };
import zh from "./zh/auth-mails.json" with { type: "json" };

export const authMails = { de, en, zh };
