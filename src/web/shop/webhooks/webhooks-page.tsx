/** Where the shop tells others of orders and stock. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Empty } from "../../ui/empty.tsx";
import { SettingFields } from "../../ui/settings/setting-fields.tsx";
import { type Form, toForm } from "../../ui/settings/setting-specs.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { WEBHOOKS, type WebhookSecret, type WebhookView, specs } from "./webhook-data.ts";
import { WebhookState } from "./webhook-state.tsx";

/** A new one is on. */
const newSpecs = specs.filter(({ key }) => key !== "enabled");

function AddWebhook(props: { onMade: (made: WebhookSecret) => void; onClose: () => void }): JSX.Element {
  const { onMade, onClose } = props;
  const [form, setForm] = useState<Form>(() => toForm(newSpecs, { types: ["order.paid"] }));
  const task = useTask();
  const part = {
    form,
    errors: task.errors,
    onChange: (change: Partial<Form>) =>
      setForm((before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).map(([key, value]) => [key, value ?? ""]),
        ),
      ),
  };
  async function add(): Promise<void> {
    const { url, description, types } = form;
    const body = { url: String(url).trim(), description: String(description).trim(), types };
    onMade(await adminRequest<WebhookSecret>(WEBHOOKS, { method: "POST", body }));
  }
  return (
    <FormDialog
      title={text("shop.webhooks.add")}
      action={text("shop.webhooks.add")}
      task={task}
      pointers={newSpecs.map(({ key }) => `/${key}`)}
      onSubmit={() => void task.run(add)}
      onClose={onClose}
    >
      <div class="stack">
        <SettingFields specs={newSpecs} part={part} />
      </div>
    </FormDialog>
  );
}

function toColumns(): readonly TableColumn<WebhookView>[] {
  return [
    {
      key: "url",
      label: text("shop.webhooks.url"),
      cell: ({ id, url, description }) => (
        <>
          <a class="row-name break" href={`/admin/webhooks/${id}`}>
            {url}
          </a>
          {description !== "" && (
            <>
              <br />
              <span class="field-hint">{description}</span>
            </>
          )}
        </>
      ),
    },
    {
      key: "events",
      label: text("shop.webhooks.events"),
      number: true,
      cell: ({ types }) => types.length,
    },
    {
      key: "state",
      label: text("admin.column.state"),
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
  ];
}

/** The section without a webhook in its address. */
export function WebhooksPage(): JSX.Element {
  const { data, error, refresh } = usePolled<{ readonly items: readonly WebhookView[] }>(WEBHOOKS, 0);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<WebhookSecret | undefined>();
  const items = data?.items ?? [];
  return (
    <>
      <PageHead title={text("shop.nav.webhooks")} hint={text("shop.webhooks.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {text("shop.webhooks.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && items.length === 0 && (
        <Empty icon="send" title={text("shop.webhooks.none")} hint={text("shop.webhooks.none.hint")} />
      )}
      {items.length > 0 && (
        <div class="settings-table">
          <Table
            caption={text("shop.nav.webhooks")}
            columns={toColumns()}
            rows={items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {isAdding && (
        <AddWebhook
          onMade={(webhook) => {
            setAdding(false);
            setMade(webhook);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made && <SecretDialog secret={made.secret} onClose={() => navigate(`/admin/webhooks/${made.id}`)} />}
    </>
  );
}
