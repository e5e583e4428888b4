// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/monitor-alerts.json" with { type: "json" };
import en from "./en/monitor-alerts.json" with { type: "json" };
import zh from "./zh/monitor-alerts.json" with { type: "json" };

export const monitorAlerts = { de, en, zh };
