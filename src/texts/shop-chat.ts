// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-chat.json" with { type: "json" };
import en from "./en/shop-chat.json" with { type: "json" };
import zh from "./zh/shop-chat.json" with { type: "json" };

export const shopChat = { de, en, zh };
