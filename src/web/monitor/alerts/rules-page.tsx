/** The alert rules: what is watched, and whom it tells. */
import { type JSX, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ruleForm } from "../../../monitor/alerts/form-schema.ts";
import type { WatchedType } from "../../../monitor/alerts/kinds/watched.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button, Switch } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ItemDialog } from "../../ui/resource/item-dialog.tsx";
import { type ListPart, type ListTools, type Resource, toItemPath } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { type ChannelList, CHANNELS } from "../channels/channel-data.ts";
import { useCheckNames } from "../check-names.ts";
import { type RuleView, RULES } from "../rule-list.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { toConditionText, toGoodRules } from "./rule-data.ts";
import { type RuleContext, ruleFields, useRuleContext, watchedBy } from "./rule-form.tsx";
import { toScopeText } from "./scope-kind.tsx";
import { SeverityMark } from "./severity-mark.tsx";
import { CardButtons } from "../../ui/resource/card-buttons.tsx";

/** All of them, once they are there. */
const Channels = createContext<readonly ChannelView[] | undefined>(undefined);

function RuleCard({ view, tools }: { view: RuleView; tools: ListTools<RuleView> }): JSX.Element {
  const channels = useContext(Channels) ?? [];
  const told = channels.filter(({ id }) => view.channelIds.includes(id)).map(({ name }) => name);
  return (
    <li class={`admin-panel stack-small${view.enabled ? "" : " is-off"}`} aria-label={view.name}>
      <div class="admin-head rule-head">
        <SeverityMark severity={view.severity} />
        <h2>{view.name}</h2>
        <span class="spacer" />
        <Switch
          label={text("admin.rule.on")}
          checked={view.enabled}
          disabled={!tools.mayWrite}
          onChange={(enabled) => tools.change(view, { enabled })}
        />
        <CardButtons view={view} tools={tools} />
      </div>
      <p>{toConditionText(view)}</p>
      <p class="field-hint">
        {toScopeText(view, watchedBy(view.kind))} ·{" "}
        {view.allChannels && channels.length > 0
          ? text("admin.rule.tells.all")
          : told.length === 0
            ? text("admin.rule.tells.nobody")
            : text("admin.rule.tells", { names: told.join(", ") })}
        {view.remindEveryHours > 0 && ` · ${text("admin.rule.reminds", { hours: view.remindEveryHours })}`}
        {view.escalation.length > 0 &&
          ` · ${text("admin.rule.escalates", { minutes: view.escalation.map(({ afterMinutes }) => afterMinutes).join(", ") })}`}
      </p>
    </li>
  );
}

/** Existing targets without a rule; all of them if there are no rules. */
function listUnwatched(
  rules: readonly RuleView[],
  present: Readonly<Record<WatchedType, number>>,
): readonly WatchedType[] {
  const types = ["server", "check"] as const;
  const unwatched = types.filter((type) => !rules.some(({ kind }) => watchedBy(kind) === type));
  const wanted = unwatched.filter((type) => present[type] > 0);
  return rules.length === 0 && wanted.length === 0 ? types : wanted;
}

function NoRules(props: {
  /** Types of targets without a rule. */
  watches: readonly WatchedType[];
  hasRules: boolean;
  channels: readonly ChannelView[];
  refresh: () => Promise<void>;
}): JSX.Element {
  const { watches, hasRules, channels, refresh } = props;
  const task = useTask();
  const rules = toGoodRules(watches);
  const titles = {
    server: "admin.rules.none.server",
    check: "admin.rules.none.check",
  } as const satisfies Record<WatchedType, string>;
  const [only = "server"] = watches;
  async function add(): Promise<void> {
    for (const body of rules) await adminRequest(RULES, { method: "POST", body });
    showToast(text("admin.good.done", { count: rules.length }));
    await refresh();
  }
  return (
    <div class="admin-panel stack">
      <h2>{text(hasRules ? titles[only] : "admin.rules.none")}</h2>
      <p>{text("admin.rules.none.text")}</p>
      <ul>
        {rules.map((rule) => (
          <li key={rule.name}>{rule.name}</li>
        ))}
      </ul>
      {channels.length === 0 && (
        <p class="admin-note is-warn">
          <Icon name="info" />
          <span>{text("admin.good.no-channel")}</span>
          <a href="/admin/channels">{text("admin.channel.add")}</a>
        </p>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <div class="button-row">
        <Button kind="primary" icon="check" disabled={task.busy} onClick={() => void task.run(add)}>
          {text(task.busy ? "admin.busy" : "admin.good.add")}
        </Button>
      </div>
    </div>
  );
}

/** Offers good rules for what no rule watches. */
function Unwatched({ tools, items, isLoading }: ListPart<RuleView>): JSX.Element | null {
  const channels = useContext(Channels);
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items;
  const checks = useCheckNames();
  if (isLoading || channels === undefined || servers === undefined || !tools.mayWrite) return null;
  const watches = listUnwatched(items, { server: servers.length, check: checks.length });
  if (watches.length === 0) return null;
  return (
    <NoRules watches={watches} hasRules={items.length > 0} channels={channels} refresh={tools.refresh} />
  );
}

const rules: Resource<RuleView, typeof ruleForm, RuleContext> = {
  ...ruleFields,
  api: RULES,
  home: "/admin/rules",
  navigation: "admin.nav.rules",
  texts: "admin.rule",
  write: "alerts:write",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  useContext: useRuleContext,
  dialog: {
    Editor: ItemDialog,
    save: (fields, view) => {
      // With all channels, none is listed.
      const body = { ...fields, ...(fields["allChannels"] === true && { channelIds: [] }) };
      if (view === undefined) return adminRequest<RuleView>(RULES, { method: "POST", body });
      const { id, version } = view;
      const path = toItemPath({ api: RULES }, id);
      return adminRequest<RuleView>(path, { method: "PUT", body: { ...body, version } });
    },
  },
  Above: Unwatched,
  table: {
    paging: "whole",
    Card: RuleCard,
    // Readers with write access get suggestions above.
    Nothing: ({ tools }) => (tools.mayWrite ? null : <Empty icon="rules" title={text("admin.rules.none")} />),
  },
};

/** The page. */
export function RulesPage(): JSX.Element {
  const channels = usePolled<ChannelList>(CHANNELS, 0).data?.items;
  return (
    <Channels.Provider value={channels}>
      <ResourceList of={rules} />
    </Channels.Provider>
  );
}
