/** The form of an alert rule: what it looks for, where, and whom it tells. */
import { ruleForm } from "../../../monitor/alerts/form-schema.ts";
import { type RuleKindName, ruleForms } from "../../../monitor/alerts/kinds/kinds.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { Segments, Switch } from "../../ui/controls.tsx";
import type { FieldForm } from "../../ui/resource/form.ts";
import { everyKind } from "../../ui/resource/every-kind.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import { type Form, type KindOf, toText, toTexts } from "../../ui/resource/kind.ts";
import { choiceKind, switchKind } from "../../ui/resource/kinds.tsx";
import { tagsKind } from "../../ui/resource/set-kinds.tsx";
import { type ChannelList, CHANNELS } from "../channels/channel-data.ts";
import { metricKind, partMetricKind, thresholdKind } from "./metric-kinds.tsx";
import { type ScopeContext, type ScopeOf, SearchedTicks, scopeKind, useScopeContext } from "./scope-kind.tsx";

/** The form's context. */
export interface RuleContext extends ScopeContext {
  readonly channels: readonly ChannelView[];
}

/** The same, once it is loaded. */
export function useRuleContext(): RuleContext | undefined {
  const scope = useScopeContext();
  const channels = usePolled<ChannelList>(CHANNELS, 0);
  if (scope === undefined || (channels.data === undefined && channels.error === undefined)) return undefined;
  return { ...scope, channels: channels.data?.items ?? [] };
}

function isRuleKind(name: string): name is RuleKindName {
  return name in ruleForms;
}

/** The targets of a kind of rule. */
export function watchedBy(kind: string): ScopeOf {
  return isRuleKind(kind) ? ruleForms[kind].watches : "server";
}

const isToldAll = ({ allChannels }: Form): boolean => allChannels === true;

const enabledKind: KindOf<RuleContext> = (json) => ({
  ...switchKind(json),
  Field: ({ label, value, onChange }) => (
    <Switch label={label} checked={value === true} onChange={onChange} />
  ),
});

/** Every channel, or some of them. */
const allChannelsKind: KindOf<RuleContext> = (json) => ({
  ...switchKind(json),
  Field: ({ label, value, context, onChange }) => (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{label}</legend>
      <Segments<string>
        label={label}
        value={value === true ? "all" : "some"}
        choices={[
          { value: "all", label: text("admin.rule.channels.all") },
          { value: "some", label: text("admin.rule.channels.some") },
        ]}
        onChange={(next) => onChange(next === "all")}
      />
      {value === true && <p class="field-hint">{text("admin.rule.channels.all.hint")}</p>}
      {context.channels.length === 0 && <p class="field-hint">{text("admin.rule.channels.none")}</p>}
    </fieldset>
  ),
});

const channelIdsKind: KindOf<RuleContext> = (json) => ({
  ...tagsKind(json),
  Field: ({ label, error, value, context, whole, onChange }) => {
    const chosen = toTexts(value);
    const isStep = whole !== undefined;
    return (
      <div class="stack-small">
        <SearchedTicks
          label={label}
          options={context.channels}
          chosen={chosen}
          error={error}
          onChange={onChange}
        />
        {!isStep && context.channels.length > 0 && chosen.length === 0 && (
          <p class="field-hint">{text("admin.rule.channels.silent")}</p>
        )}
      </div>
    );
  },
});

/** Each step has channels of its own. */
const escalationKind = listKind<RuleContext>(everyKind(), {
  isHeaded: true,
  members: { channelIds: { kind: channelIdsKind } },
  nameOf: (_row, index) => text("admin.rule.escalation.number", { number: index + 1 }),
});

export const ruleFields: FieldForm<typeof ruleForm, RuleContext> = {
  schema: ruleForm,
  words: "rule",
  kinds: everyKind({ metric: metricKind, partMetric: partMetricKind, threshold: thresholdKind }),
  fields: {
    enabled: { kind: enabledKind, label: "admin.rule.enabled" },
    name: { label: "admin.field.name", missing: "admin.fault.name" },
    kind: {
      kind: choiceKind({
        toLabel: (kind) => (isRuleKind(kind) ? text(ruleForms[kind].title) : kind),
        as: "list",
      }),
      label: "admin.rule.kind",
    },
    severity: { kind: choiceKind({ words: "admin.severity", as: "list" }), label: "admin.rule.severity" },
    scope: { kind: scopeKind(({ kind }) => watchedBy(toText(kind))), label: "admin.rule.scope" },
    allChannels: { kind: allChannelsKind, label: "admin.rule.channels", json: { initial: true } },
    channelIds: {
      kind: channelIdsKind,
      label: "admin.rule.channels.some",
      when: (form) => !isToldAll(form),
    },
    remindEveryHours: {
      label: "admin.rule.remind",
      json: { required: true },
      fault: "admin.fault.hours",
      missing: "admin.fault.hours",
    },
    escalation: { label: "admin.rule.escalation", kind: escalationKind },
  },
  panels: [
    {
      fields: [
        "enabled",
        "name",
        ["kind", "severity"],
        "offline",
        "metric",
        "part",
        "expiry",
        "traffic",
        "check",
        "certificate",
        "domain",
        "scope",
        "allChannels",
        "channelIds",
        "remindEveryHours",
        "escalation",
      ],
    },
  ],
};
