// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-mails.json" with { type: "json" };
import en from "./en/shop-mails.json" with { type: "json" };
import es from "./es/shop-mails.json" with { type: "json" };
import fr from "./fr/shop-mails.json" with { type: "json" };
import zh from "./zh/shop-mails.json" with { type: "json" };

export const shopMails = { de, en, es, fr, zh };
