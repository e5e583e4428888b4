/** Which alert rules watch a check, and which of them tell somebody. */
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { type CheckKind, certificateKinds } from "../../../monitor/checks/schema.ts";
import type { RuleView } from "../rule-list.ts";

/** The part of a check that decides whether a rule watches it; a new check has no ID. */
export interface ScopedCheck {
  readonly id?: string | undefined;
  readonly target: { readonly kind: CheckKind; readonly days?: number };
  readonly group: string;
  readonly tags: readonly string[];
}

/** Whether rules of a kind are about such a check. */
function isAbout({ kind }: RuleView, { target }: ScopedCheck): boolean {
  if (kind === "certificate") return certificateKinds.includes(target.kind);
  return kind === "check" || (kind === "domain" && target.kind === "domain");
}

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
  return rules.filter((rule) => rule.enabled && isAbout(rule, check) && isInScope(rule, check));
}

/** Whether it is a check of a domain about whose end nothing tells in time. */
export function lacksDomainRule(watching: readonly RuleView[], { target }: ScopedCheck): boolean {
  const isDown = target.kind === "domain" && (target.days ?? 0) > 0;
  return target.kind === "domain" && !isDown && !watching.some(({ kind }) => kind === "domain");
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
