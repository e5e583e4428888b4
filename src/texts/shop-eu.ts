// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-eu.json" with { type: "json" };
import en from "./en/shop-eu.json" with { type: "json" };
import zh from "./zh/shop-eu.json" with { type: "json" };

export const shopEu = { de, en, zh };
