/** The alert rules: what is watched, and whom it tells. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WatchedType } from "../../../monitor/alerts/kinds/watched.ts";
import type { ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Switch } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type ChannelList, CHANNELS } from "../channels/channel-data.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useCheckNames } from "../check-names.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { type RuleList, type RuleView, RULES, changeRule, toRulePath } from "../rule-list.ts";
import { toConditionText, toGoodRules } from "./rule-data.ts";
import { toScopeText } from "./scope-kind.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import { watchedBy } from "./rule-form.ts";
import { SeverityMark } from "./severity-mark.tsx";

interface RuleDeeds {
  readonly onEdit: (rule: RuleView) => void;
  readonly onDelete: (rule: RuleView) => void;
  readonly refresh: () => Promise<void>;
}

function RuleCard(props: RuleDeeds & { rule: RuleView; channels: readonly ChannelView[] }): JSX.Element {
  const { rule, channels, onEdit, onDelete, refresh } = props;
  const task = useTask();
  const told = channels.filter(({ id }) => rule.channelIds.includes(id)).map(({ name }) => name);
  async function enable(enabled: boolean): Promise<void> {
    await changeRule(rule, { enabled });
    await refresh();
  }
  return (
    <li class={`admin-panel stack-small${rule.enabled ? "" : " is-off"}`} aria-label={rule.name}>
      <div class="admin-head rule-head">
        <SeverityMark severity={rule.severity} />
        <h2>{rule.name}</h2>
        <span class="spacer" />
        <Switch
          label={text("admin.rule.on")}
          checked={rule.enabled}
          disabled={task.busy}
          onChange={(enabled) => void task.run(() => enable(enabled)).then(refresh)}
        />
        <Button small icon="edit" onClick={() => onEdit(rule)}>
          {text("admin.edit")}
        </Button>
        <Button small icon="trash" kind="danger" onClick={() => onDelete(rule)}>
          {text("admin.delete")}
        </Button>
      </div>
      <p>{toConditionText(rule)}</p>
      <p class="field-hint">
        {toScopeText(rule, watchedBy(rule.kind))} ·{" "}
        {rule.allChannels && channels.length > 0
          ? text("admin.rule.tells.all")
          : told.length === 0
            ? text("admin.rule.tells.nobody")
            : text("admin.rule.tells", { names: told.join(", ") })}
        {rule.remindEveryHours > 0 && ` · ${text("admin.rule.reminds", { hours: rule.remindEveryHours })}`}
      </p>
      {task.message !== undefined && <ErrorNote message={task.message} />}
    </li>
  );
}

/** What no rule watches although it is there; all of it where there are no rules at all. */
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
  /** What no rule watches. */
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

type Opened = { readonly kind: "add" } | { readonly kind: "edit" | "delete"; readonly rule: RuleView };

/** The page. */
export function RulesPage(): JSX.Element {
  const { data, error, refresh } = usePolled<RuleList>(RULES, 0);
  const channels = usePolled<ChannelList>(CHANNELS, 0).data?.items;
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items;
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const checks = useCheckNames();
  const present = { server: servers?.length ?? 0, check: checks.length };
  const unwatched = listUnwatched(data?.items ?? [], present);
  const editor = {
    servers: servers ?? [],
    checks,
    channels: channels ?? [],
    onDone: refresh,
    onClose: close,
  };
  return (
    <>
      <PageHead title={text("admin.nav.rules")} hint={text("admin.rules.hint")}>
        <Button kind="primary" icon="plus" disabled={!channels} onClick={() => setOpened({ kind: "add" })}>
          {text("admin.rule.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {!data && !error && <p class="empty">{text("page.loading")}</p>}
      {data && channels && servers && unwatched.length > 0 && (
        <NoRules watches={unwatched} hasRules={data.items.length > 0} channels={channels} refresh={refresh} />
      )}
      <ul class="plain-list stack">
        {data?.items.map((rule) => (
          <RuleCard
            rule={rule}
            key={rule.id}
            channels={channels ?? []}
            refresh={refresh}
            onEdit={() => setOpened({ kind: "edit", rule })}
            onDelete={() => setOpened({ kind: "delete", rule })}
          />
        ))}
      </ul>
      {opened?.kind === "add" && <RuleEditor {...editor} before={undefined} />}
      {opened?.kind === "edit" && <RuleEditor {...editor} before={opened.rule} />}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text("admin.rule.delete")}
          path={toRulePath(opened.rule.id)}
          name={opened.rule.name}
          onDone={refresh}
          onClose={close}
        >
          {text("admin.rule.delete.text", { name: opened.rule.name })}
        </DeleteDialog>
      )}
    </>
  );
}
