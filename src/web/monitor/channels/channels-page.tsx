/** The channels through which people are told. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ChannelView, TestResult } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type RuleList, type RuleView, RULES, changeRule } from "../rule-list.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import {
  type ChannelList,
  CHANNELS,
  MAIL_SERVER,
  toChannelPath,
  toDestination,
  toTypeName,
} from "./channel-data.ts";
import { type SiteAddress, hasAddress } from "../site-url.ts";
import { ChannelEditor } from "./channel-editor.tsx";
import { TestResultBox } from "./test-result.tsx";
import type { MailServerView } from "../../../monitor/channels/mail-schema.ts";

function ChannelCard(props: { channel: ChannelView; onEdit: () => void; onDelete: () => void }): JSX.Element {
  const { channel, onEdit, onDelete } = props;
  const [result, setResult] = useState<TestResult | undefined>();
  const task = useTask();
  async function test(): Promise<void> {
    setResult(undefined);
    setResult(await adminRequest<TestResult>(`${toChannelPath(channel.id)}/test`, { method: "POST" }));
  }
  return (
    <li class="admin-panel stack-small" aria-label={channel.name}>
      <div class="admin-head">
        <h2>{channel.name}</h2>
        <Badge>{toTypeName(channel.type)}</Badge>
        <span class="spacer" />
        <Button small icon="send" disabled={task.busy} onClick={() => void task.run(test)}>
          {text(task.busy ? "admin.busy" : "admin.test")}
        </Button>
        <Button small icon="edit" onClick={onEdit}>
          {text("admin.edit")}
        </Button>
        <Button small icon="trash" kind="danger" onClick={onDelete}>
          {text("admin.delete")}
        </Button>
      </div>
      <p class="field-hint break">{toDestination(channel)}</p>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {result && <TestResultBox result={result} onRetry={() => void task.run(test)} />}
    </li>
  );
}

/** Asks whether rules that notify nobody shall notify every channel: the first one has come. */
function UseForAllDialog(props: { rules: readonly RuleView[]; onClose: () => void }): JSX.Element {
  const { rules, onClose } = props;
  const task = useTask();
  async function useForAll(): Promise<void> {
    for (const rule of rules) await changeRule(rule, { allChannels: true, channelIds: [] });
    showToast(text("admin.saved"));
    onClose();
  }
  return (
    <ConfirmDialog
      title={text("admin.channel.first")}
      action={text("admin.channel.first.use")}
      busy={task.busy}
      onConfirm={() => void task.run(useForAll)}
      onClose={onClose}
    >
      <div class="stack">
        <p>{text("admin.channel.first.text")}</p>
        <ul>
          {rules.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
        {task.message !== undefined && <ErrorNote message={task.message} />}
      </div>
    </ConfirmDialog>
  );
}

type Opened =
  | { readonly kind: "rules"; readonly rules: readonly RuleView[] }
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "delete"; readonly channel: ChannelView };

/** The page. */
export function ChannelsPage(): JSX.Element {
  const { data, error, refresh } = usePolled<ChannelList>(CHANNELS, 0);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const add = (): void => setOpened({ kind: "add" });
  const mail = usePolled<MailServerView>(MAIL_SERVER, 0).data?.source;
  const site = usePolled<SiteAddress>("/api/admin/settings", 0).data;
  const missing = {
    mail: mail === "none",
    publicUrl: site !== undefined && !hasAddress(site),
  };
  /** After the first channel: rules that notify nobody are offered it. */
  async function offerRules(): Promise<void> {
    const isFirst = data?.items.length === 0;
    await refresh();
    if (!isFirst) return;
    const { items } = await adminRequest<RuleList>(RULES);
    const silent = items.filter(({ allChannels, channelIds }) => !allChannels && channelIds.length === 0);
    if (silent.length > 0) setOpened({ kind: "rules", rules: silent });
  }
  return (
    <>
      <PageHead title={text("admin.nav.channels")} hint={text("admin.channels.hint")}>
        <Button kind="primary" icon="plus" disabled={!data || mail === undefined} onClick={add}>
          {text("admin.channel.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {!data && !error && <p class="empty">{text("page.loading")}</p>}
      {data?.items.length === 0 && (
        <div class="empty">
          <Icon name="channel" />
          <h2>{text("admin.channels.none")}</h2>
          <p>{text("admin.channels.none.text")}</p>
        </div>
      )}
      <ul class="plain-list stack">
        {data?.items.map((channel) => (
          <ChannelCard
            channel={channel}
            key={channel.id}
            onEdit={() => setOpened({ kind: "edit", channel })}
            onDelete={() => setOpened({ kind: "delete", channel })}
          />
        ))}
      </ul>
      {opened?.kind === "add" && (
        <ChannelEditor before={undefined} missing={missing} onSaved={offerRules} onClose={close} />
      )}
      {opened?.kind === "edit" && (
        <ChannelEditor before={opened.channel} missing={missing} onSaved={refresh} onClose={close} />
      )}
      {opened?.kind === "rules" && <UseForAllDialog rules={opened.rules} onClose={close} />}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text("admin.channel.delete")}
          path={toChannelPath(opened.channel.id)}
          name={opened.channel.name}
          onDone={refresh}
          onClose={close}
        >
          {text("admin.channel.delete.text", { name: opened.channel.name })}
        </DeleteDialog>
      )}
    </>
  );
}
