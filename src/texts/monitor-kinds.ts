// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/monitor-kinds.json" with { type: "json" };
import en from "./en/monitor-kinds.json" with { type: "json" };
import zh from "./zh/monitor-kinds.json" with { type: "json" };

export const monitorKinds = { de, en, zh };
