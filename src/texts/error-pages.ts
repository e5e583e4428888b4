// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/error-pages.json" with { type: "json" };
import en from "./en/error-pages.json" with { type: "json" };
import zh from "./zh/error-pages.json" with { type: "json" };

export const errorPages = { de, en, zh };
