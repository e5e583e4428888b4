/** The alert rules that watch a check. */
import type { JSX } from "preact";
import type { CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { toConditionText } from "../../alerts/rule-data.ts";
import { SeverityMark } from "../../alerts/severity-mark.tsx";
import { type RuleList, RULES } from "../../rule-list.ts";
import { findWatching } from "../check-rules.ts";
import { Panel } from "../../../ui/panel.tsx";

/** The list; nothing while there is none, which is said elsewhere. */
export function WatchingRules({ check }: { check: CheckView }): JSX.Element | null {
  const rules = usePolled<RuleList>(RULES, 0).data?.items;
  const watching = findWatching(rules ?? [], check);
  if (watching.length === 0) return null;
  return (
    <Panel
      small
      title={text("admin.check.rules")}
      action={<a href="/admin/rules">{text("admin.nav.rules")}</a>}
    >
      <ul class="plain-list stack-small">
        {watching.map((rule) => (
          <li key={rule.id} class="check-rule">
            <SeverityMark severity={rule.severity} /> <strong>{rule.name}</strong>
            <span class="field-hint">{toConditionText(rule)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
