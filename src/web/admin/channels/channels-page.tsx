/** The channels through which people are told. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ChannelView, TestResult } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { Badge, PageHead } from "../pieces.tsx";
import { usePolled } from "../polled.ts";
import { ErrorNote, toMessage, useTask } from "../problem.tsx";
import { adminRequest } from "../session.ts";
import { type ChannelList, CHANNELS, toChannelPath, toDestination, toTypeName } from "./channel-data.ts";
import { ChannelEditor } from "./channel-editor.tsx";
import { TestResultBox } from "./test-result.tsx";

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
        <Button small icon="out" disabled={task.busy} onClick={() => void task.run(test)}>
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
      {result && <TestResultBox result={result} />}
    </li>
  );
}

type Opened = { readonly kind: "add" } | { readonly kind: "edit" | "delete"; readonly channel: ChannelView };

/** The page. */
export function ChannelsPage(): JSX.Element {
  const { data, error, refresh } = usePolled<ChannelList>(CHANNELS, 0);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const add = (): void => setOpened({ kind: "add" });
  return (
    <>
      <PageHead title={text("admin.nav.channels")} hint={text("admin.channels.hint")}>
        <Button kind="primary" icon="plus" onClick={add}>
          {text("admin.channel.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {!data && !error && <p class="empty">{text("page.loading")}</p>}
      {data?.items.length === 0 && (
        <div class="empty">
          <Icon name="out" />
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
      {opened?.kind === "add" && <ChannelEditor before={undefined} onDone={refresh} onClose={close} />}
      {opened?.kind === "edit" && <ChannelEditor before={opened.channel} onDone={refresh} onClose={close} />}
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
