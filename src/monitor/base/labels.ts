/** Names of the texts of metrics, channels, rules and faults, which servers and browsers show alike. */
import type kinds from "../../texts/en/monitor-kinds.json";

export type KindText = Extract<keyof typeof kinds, string>;
