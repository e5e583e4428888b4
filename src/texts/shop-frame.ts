// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-frame.json" with { type: "json" };
import en from "./en/shop-frame.json" with { type: "json" };
import zh from "./zh/shop-frame.json" with { type: "json" };

export const shopFrame = { de, en, zh };
