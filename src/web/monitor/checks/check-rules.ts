/** Which alert rules watch a check, and which of them tell somebody. */
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import type { RuleView } from "../rule-list.ts";

/** The part of a check that decides whether a rule's scope includes it; a new check has no ID. */
export interface ScopedCheck {
  readonly id?: string | undefined;
  readonly group: string;
  readonly tags: readonly string[];
}

/** Kinds of rules that watch checks. */
const kinds: readonly string[] = ["check", "certificate"];

function isInScope({ scope }: RuleView, { id, group, tags }: ScopedCheck): boolean {
  switch (scope.type) {
    case "all":
      return true;
    case "group":
      return scope.group === group.trim();
    case "tag":
      return tags.includes(scope.tag);
    case "ids":
      return id !== undefined && scope.ids.includes(id);
  }
}

/** The rules that watch it, those that are switched off left out. */
export function findWatching(rules: readonly RuleView[], check: ScopedCheck): readonly RuleView[] {
  return rules.filter((rule) => rule.enabled && kinds.includes(rule.kind) && isInScope(rule, check));
}

/** Those of them that tell somebody that it is down. */
export function findTelling(
  rules: readonly RuleView[],
  channels: readonly Pick<ChannelView, "id">[],
): readonly RuleView[] {
  const live = new Set(channels.map(({ id }) => id));
  return rules.filter(
    ({ kind, allChannels, channelIds }) =>
      kind === "check" && live.size > 0 && (allChannels || channelIds.some((id) => live.has(id))),
  );
}
