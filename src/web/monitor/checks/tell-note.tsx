/** Warns if a check would be down without a notification, and links to the fix. */
import type { JSX } from "preact";
import type { CheckList } from "../../../monitor/checks/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { type ChannelList, CHANNELS } from "../channels/channel-data.ts";
import { type RuleList, RULES } from "../rule-list.ts";
import { CHECKS } from "./check-data.ts";
import { type ScopedCheck, findTelling, findWatching, lacksDomainRule } from "./check-rules.ts";

/** The note; empty if a rule covers the check, or before that is known. */
export function TellNote({ check }: { check: ScopedCheck }): JSX.Element | null {
  const rules = usePolled<RuleList>(RULES, 0).data?.items;
  const channels = usePolled<ChannelList>(CHANNELS, 0).data?.items;
  const counts = usePolled<CheckList>(`${CHECKS}?limit=1`, 0).data?.counts;
  if (rules === undefined || channels === undefined || counts === undefined) return null;
  const count = Object.values(counts).reduce((all, some) => all + some, 0);
  const watching = findWatching(rules, check);
  const isTold = findTelling(watching, channels).length > 0;
  // The first check of a domain comes with its rule.
  const lacksDomain = check.id !== undefined && lacksDomainRule(watching, check);
  if (isTold && !lacksDomain) return null;
  // The first check comes with rules for all channels.
  const comesWithRules = check.id === undefined && count === 0;
  if (comesWithRules && channels.length > 0) return null;
  const [words, link, label] = isTold
    ? (["admin.check.tell.no-domain", "/admin/rules", "admin.nav.rules"] as const)
    : watching.length === 0 && !comesWithRules
      ? (["admin.check.tell.no-rule", "/admin/rules", "admin.nav.rules"] as const)
      : (["admin.check.tell.no-channel", "/admin/channels", "admin.nav.channels"] as const);
  return (
    <p class="admin-note is-warn">
      <Icon name="bell" />
      <span>{text(words)}</span>
      <a href={link}>{text(label)}</a>
    </p>
  );
}
