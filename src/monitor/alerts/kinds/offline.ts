/** Rules that fire when a server's agent falls silent. */
import { z } from "zod";
import { toDurationText } from "../words/amounts.ts";
import { type RuleFields, type RuleForm, type ServerRuleKind, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  /** How long a server may be offline before an alert. */
  graceSeconds: z.number().int().min(0).max(86_400).default(120),
  /** How long it must be back before the alert is over; 0 means at once. */
  recoverSeconds: z.number().int().min(0).max(86_400).default(0),
});

export const offline: ServerRuleKind<ReturnType<typeof parameters>> = {
  watches: "server",
  parameters,
  cadence: "report",
  notice: "firing",
  isOutage: true,
  waitSeconds: ({ graceSeconds }) => graceSeconds,
  recoverSeconds: ({ recoverSeconds }) => recoverSeconds,
  evaluate: (_condition, { live, staleSeenAt }) => {
    // It began with the last sign of life, not with the look that found it; the wait counts from then too.
    if (live.state === "offline") return { breached: true, since: live.lastSeenAt, sinceMs: live.heardMs };
    if (live.state === "never") return UNKNOWN;
    return staleSeenAt !== undefined && live.lastSeenAt === staleSeenAt ? UNKNOWN : { breached: false };
  },
  words: {
    condition: ({ graceSeconds }, t) => t("offline.condition", { span: toDurationText(graceSeconds, t) }),
    down: (_condition, _finds, t) => t("offline.down"),
    up: (_condition, _value, t) => t("offline.up"),
    amounts: ({ graceSeconds }, _finds, t) => ({ threshold: toDurationText(graceSeconds, t) }),
    many: (direction, count, t) => t(`offline.many.${direction}`, { count }),
  },
};

export const offlineFields: RuleFields<ReturnType<typeof parameters>> = {
  graceSeconds: { kind: "duration" },
  recoverSeconds: { kind: "duration" },
};

export const offlineForm: RuleForm<"server"> = {
  watches: "server",
  title: "rule.offline.title",
  says: () => "rule.offline.says",
  suggestions: [
    {
      name: "rule.offline.suggestion.1",
      severity: "critical",
      condition: { graceSeconds: 120 },
    },
  ],
};
