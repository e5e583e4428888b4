// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/auth-pages.json" with { type: "json" };
import en from "./en/auth-pages.json" with { type: "json" };
import zh from "./zh/auth-pages.json" with { type: "json" };

export const authPages = { de, en, zh };
