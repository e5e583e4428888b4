/** What was sent to a webhook and what waits, with every answer. */
import type { JSX } from "preact";
import type { DeliveryView, WholeDelivery } from "../../../shop/webhooks-out/answer-schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, Badge, type BadgeKind, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { toWebhookPath } from "./webhook-data.ts";

const states = ["waiting", "failed", "sent"] as const;
type State = DeliveryView["state"];
const stateTexts: Readonly<Record<State, TextName>> = {
  waiting: "admin.queue.waiting",
  failed: "admin.queue.failed",
  sent: "admin.queue.sent",
};
const stateKinds: Readonly<Record<State, BadgeKind>> = { waiting: "warn", failed: "bad", sent: "good" };

/** What came back at the last try. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryView }): JSX.Element {
  const { state, attempts, lastStatus, lastAnswer, lastError, durationMs, createdAt } = delivery;
  const { nextAttemptAt, eventId } = delivery;
  const rows: readonly (readonly [TextName, JSX.Element | string])[] = [
    ["admin.column.state", <Badge kind={stateKinds[state]}>{text(stateTexts[state])}</Badge>],
    ["shop.webhooks.eventId", <code class="break">{eventId}</code>],
    ["admin.queue.written", <Moment at={createdAt} />],
    ["admin.queue.attempts", String(attempts)],
    ...(nextAttemptAt === undefined ? [] : [["shop.webhooks.next", <Moment at={nextAttemptAt} />] as const]),
    ...(lastStatus === undefined ? [] : [["shop.webhooks.status", String(lastStatus)] as const]),
    ...(durationMs === undefined ? [] : [["shop.webhooks.duration", `${durationMs} ms`] as const]),
    ...(lastError === undefined ? [] : [["shop.webhooks.error", lastError] as const]),
    ...(lastAnswer === undefined || lastAnswer === ""
      ? []
      : [["shop.webhooks.answer", <code class="break">{lastAnswer}</code>] as const]),
  ];
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{text(label)}</dt>
          <dd class="break">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DeliveryDialog(props: {
  path: string;
  mayWrite: boolean;
  onAct: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { path, mayWrite, onAct, onClose } = props;
  const { data, error, refresh } = usePolled<WholeDelivery>(path, 0);
  const task = useTask();
  async function redeliver(): Promise<void> {
    await adminRequest(`${path}/redeliver`, { method: "POST" });
    showToast(text("shop.webhooks.redelivered"));
    await onAct();
  }
  return (
    <Dialog
      title={data?.type ?? text("shop.webhooks.delivery")}
      wide
      onClose={onClose}
      actions={
        <>
          {mayWrite && (
            <Button
              icon="send"
              disabled={task.busy || data === undefined}
              onClick={() => void task.run(redeliver)}
            >
              {text("shop.webhooks.redeliver")}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {text("control.close")}
          </Button>
        </>
      }
    >
      <div class="stack">
        {task.message !== undefined && <ErrorNote message={task.message} />}
        {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
        {data && <DeliveryFacts delivery={data} />}
        {data && (
          <pre class="mail-text" tabIndex={0}>
            {data.body}
          </pre>
        )}
      </div>
    </Dialog>
  );
}

const toColumns = (onOpen: (delivery: DeliveryView) => void): readonly TableColumn<DeliveryView>[] => [
  {
    key: "type",
    label: text("shop.webhooks.event"),
    cell: (delivery) => (
      <button type="button" class="link-button" onClick={() => onOpen(delivery)}>
        {delivery.type}
      </button>
    ),
  },
  {
    key: "state",
    label: text("admin.column.state"),
    cell: ({ state, lastStatus, lastError }) => (
      <>
        <Badge kind={stateKinds[state]}>{text(stateTexts[state])}</Badge>{" "}
        <span class="field-hint break">{lastStatus ?? lastError ?? ""}</span>
      </>
    ),
  },
  { key: "attempts", label: text("admin.queue.attempts"), number: true, cell: ({ attempts }) => attempts },
  { key: "at", label: text("admin.queue.written"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** The list with its filter. */
export function Deliveries({ id, mayWrite }: { id: string; mayWrite: boolean }): JSX.Element {
  const query = useQuery();
  const path = toWebhookPath(id, "/deliveries");
  const state = states.find((one) => one === query.get("state"));
  const page = useCursorPage<DeliveryView>(path, { state: state ?? "" });
  const open = query.get("delivery");
  return (
    <section class="stack" aria-labelledby="deliveries-title">
      <div class="panel-head">
        <h2 id="deliveries-title">{text("shop.webhooks.deliveries")}</h2>
        <Button small icon="refresh" onClick={() => void page.refresh().catch(showProblem)}>
          {text("admin.outbox.refresh")}
        </Button>
      </div>
      <p class="field-hint">{text("shop.webhooks.deliveries.hint")}</p>
      <div class="admin-filters">
        <Segments<State | "all">
          label={text("admin.column.state")}
          value={state ?? "all"}
          choices={[
            { value: "all", label: text("admin.outbox.all") },
            ...states.map((value) => ({ value, label: text(stateTexts[value]) })),
          ]}
          onChange={(chosen) => query.set({ state: chosen === "all" ? "" : chosen, cursor: "" })}
        />
      </div>
      <CursorList page={page} empty={text("shop.webhooks.deliveries.none")}>
        <Table
          caption={text("shop.webhooks.deliveries")}
          columns={toColumns((delivery) => query.set({ delivery: delivery.id }, { push: true }))}
          rows={page.items}
          keyOf={(delivery) => delivery.id}
        />
      </CursorList>
      {open !== "" && (
        <DeliveryDialog
          key={open}
          path={`${path}/${open}`}
          mayWrite={mayWrite}
          onAct={async () => {
            query.set({ delivery: "" });
            await page.refresh();
          }}
          onClose={() => query.set({ delivery: "" })}
        />
      )}
    </section>
  );
}
