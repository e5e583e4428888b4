/** How bad an alert is, by shape, colour and word. */
import type { JSX } from "preact";
import type { AlertRuleFields } from "../../../monitor/alerts/schema.ts";
import { text } from "../../app/texts.ts";
import type { IconName } from "../../ui/icons.tsx";
import { type BadgeKind, Badge } from "../../ui/console/pieces.tsx";

type Severity = AlertRuleFields["severity"];

const looks: Readonly<Record<Severity, { kind: BadgeKind; icon: IconName }>> = {
  info: { kind: "idle", icon: "info" },
  warning: { kind: "warn", icon: "alert" },
  critical: { kind: "bad", icon: "offline" },
};

/** The mark. */
export function SeverityMark({ severity }: { severity: Severity }): JSX.Element {
  return <Badge {...looks[severity]}>{text(`admin.severity.${severity}`)}</Badge>;
}
