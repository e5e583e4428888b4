/** The channels for notifications. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { channelForm } from "../../../monitor/channels/form-schema.ts";
import type { ChannelForm } from "../../../monitor/channels/kinds/kind.ts";
import { channelForms } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelView, TestResult } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ItemDialog } from "../../ui/resource/item-dialog.tsx";
import { type ListTools, type Resource, toItemPath } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { type RuleList, RULES, changeRule } from "../rule-list.ts";
import { type ChannelList, CHANNELS } from "./channel-data.ts";
import {
  type ChannelContext,
  channelFields,
  toFields,
  toTypeName,
  useChannelContext,
} from "./channel-form.tsx";
import { TestResultBox } from "./test-result.tsx";
import { CardButtons } from "../../ui/resource/card-buttons.tsx";

/** Where a channel leads to, in a few words; secrets stay masked. */
function toDestination(view: ChannelView): string {
  const form: ChannelForm = channelForms[view.type];
  return form.destination(view, view.secrets);
}

function ChannelCard({ view, tools }: { view: ChannelView; tools: ListTools<ChannelView> }): JSX.Element {
  const [result, setResult] = useState<TestResult | undefined>();
  const task = useTask();
  async function test(): Promise<void> {
    setResult(undefined);
    const path = `${toItemPath({ api: CHANNELS }, view.id)}/test`;
    setResult(await adminRequest<TestResult>(path, { method: "POST" }));
  }
  return (
    <li class="admin-panel stack-small" aria-label={view.name}>
      <div class="admin-head">
        <h2>{view.name}</h2>
        <Badge>{toTypeName(view.type)}</Badge>
        <span class="spacer" />
        {tools.mayWrite && (
          <Button small icon="send" disabled={task.busy} onClick={() => void task.run(test)}>
            {text(task.busy ? "admin.busy" : "admin.test")}
          </Button>
        )}
        <CardButtons view={view} tools={tools} />
      </div>
      <p class="field-hint break">{toDestination(view)}</p>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {result && <TestResultBox result={result} onRetry={() => void task.run(test)} />}
    </li>
  );
}

/** After the first channel: offers it to all rules without channels. */
function UseForAllDialog({ onClose }: { onClose: () => void }): JSX.Element | null {
  const channels = usePolled<ChannelList>(CHANNELS, 0).data?.items ?? [];
  const rules = usePolled<RuleList>(RULES, 0).data?.items ?? [];
  const silent = rules.filter(({ allChannels, channelIds }) => !allChannels && channelIds.length === 0);
  const task = useTask();
  async function useForAll(): Promise<void> {
    for (const rule of silent) await changeRule(rule, { allChannels: true, channelIds: [] });
    showToast(text("admin.saved"));
    onClose();
  }
  if (channels.length !== 1 || silent.length === 0) return null;
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
          {silent.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
        {task.message !== undefined && <ErrorNote message={task.message} />}
      </div>
    </ConfirmDialog>
  );
}

const channels: Resource<ChannelView, typeof channelForm, ChannelContext> = {
  ...channelFields,
  api: CHANNELS,
  home: "/admin/channels",
  navigation: "admin.nav.channels",
  texts: "admin.channel",
  write: "alerts:write",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  toFields,
  useContext: useChannelContext,
  creation: {
    initial: ({ lacksMail }) => ({ type: lacksMail ? "ntfy" : "email" }),
    Made: UseForAllDialog,
  },
  dialog: {
    Editor: ItemDialog,
    save: (fields, view) => {
      if (view === undefined) return adminRequest<ChannelView>(CHANNELS, { method: "POST", body: fields });
      const body = { ...fields, version: view.version };
      return adminRequest<ChannelView>(toItemPath({ api: CHANNELS }, view.id), { method: "PUT", body });
    },
    test: async (fields, view) => {
      const query = view === undefined ? "" : `?id=${encodeURIComponent(view.id)}`;
      const path = `${CHANNELS}/test${query}`;
      const result = await adminRequest<TestResult>(path, { method: "POST", body: fields });
      return (again) => <TestResultBox result={result} onRetry={again} />;
    },
  },
  table: {
    paging: "whole",
    Card: ChannelCard,
    Nothing: () => (
      <Empty icon="channel" title={text("admin.channel.none")} hint={text("admin.channel.none.hint")} />
    ),
  },
};

/** The page. */
export function ChannelsPage(): JSX.Element {
  return <ResourceList of={channels} />;
}
