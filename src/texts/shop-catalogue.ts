// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-catalogue.json" with { type: "json" };
import en from "./en/shop-catalogue.json" with { type: "json" };
import zh from "./zh/shop-catalogue.json" with { type: "json" };

export const shopCatalogue = { de, en, zh };
