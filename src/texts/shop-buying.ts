// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-buying.json" with { type: "json" };
import en from "./en/shop-buying.json" with { type: "json" };
import zh from "./zh/shop-buying.json" with { type: "json" };

export const shopBuying = { de, en, zh };
