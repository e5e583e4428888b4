/** Rules that fire when a server's agent falls silent. */
import { z } from "zod";
import { toDurationText } from "./amounts.ts";
import { type RuleForm, type RuleKind, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  /** How long a server may be offline before anyone is told. */
  graceSeconds: z.number().int().min(0).max(86_400).default(120),
});

export const offline: RuleKind<ReturnType<typeof parameters>> = {
  parameters,
  cadence: "report",
  notice: "firing",
  isSinceLastSeen: true,
  waitSeconds: ({ graceSeconds }) => graceSeconds,
  evaluate: (_condition, { live, staleSeenAt }) => {
    if (live.state === "offline") return { breached: true };
    if (live.state === "never") return UNKNOWN;
    return staleSeenAt !== undefined && live.lastSeenAt === staleSeenAt ? UNKNOWN : { breached: false };
  },
  words: {
    condition: ({ graceSeconds }) => `offline for ${toDurationText(graceSeconds)}`,
    down: () => " is offline",
    up: () => " is online again",
    many: { down: "servers are offline", up: "servers are online again" },
  },
};

export const offlineForm: RuleForm = {
  title: { en: "Server is offline", zh: "服务器离线" },
  fields: [
    {
      name: "graceSeconds",
      input: "span",
      initial: 120,
      label: { en: "Offline for at least", zh: "离线至少" },
      hint: { en: "Shorter outages are told to nobody.", zh: "更短的中断不会通知任何人。" },
    },
  ],
  says: () => ({ en: "Offline for {graceSeconds}", zh: "离线 {graceSeconds}" }),
  suggestions: [
    {
      name: { en: "Server offline for 2 minutes", zh: "服务器离线 2 分钟" },
      severity: "critical",
      condition: { graceSeconds: 120 },
    },
  ],
};
