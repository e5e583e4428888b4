// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/monitor-status.json" with { type: "json" };
import en from "./en/monitor-status.json" with { type: "json" };
import zh from "./zh/monitor-status.json" with { type: "json" };

export const monitorStatus = { de, en, zh };
