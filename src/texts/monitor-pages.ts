// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/monitor-pages.json" with { type: "json" };
import en from "./en/monitor-pages.json" with { type: "json" };
import zh from "./zh/monitor-pages.json" with { type: "json" };

export const monitorPages = { de, en, zh };
