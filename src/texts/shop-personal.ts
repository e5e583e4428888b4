// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-personal.json" with { type: "json" };
import en from "./en/shop-personal.json" with { type: "json" };
import zh from "./zh/shop-personal.json" with { type: "json" };

export const shopPersonal = { de, en, zh };
