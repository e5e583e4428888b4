// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-providers.json" with { type: "json" };
import en from "./en/shop-providers.json" with { type: "json" };
import zh from "./zh/shop-providers.json" with { type: "json" };

export const shopProviders = { de, en, zh };
