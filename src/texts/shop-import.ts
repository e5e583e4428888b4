// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-import.json" with { type: "json" };
import en from "./en/shop-import.json" with { type: "json" };
import zh from "./zh/shop-import.json" with { type: "json" };

export const shopImport = { de, en, zh };
