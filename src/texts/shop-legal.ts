// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-legal.json" with { type: "json" };
import en from "./en/shop-legal.json" with { type: "json" };
import zh from "./zh/shop-legal.json" with { type: "json" };

export const shopLegal = { de, en, zh };
