/** Sent and pending deliveries of a webhook, with every response. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { DeliveryView, WholeDelivery } from "../../../shop/webhooks-out/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Ago, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { QueueBadge, queueFilter } from "../../ui/console/queue-state.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import type { ListTools, Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { toWebhookPath } from "./webhook-data.ts";

/** Response of the last attempt. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryView }): JSX.Element {
  const { state, attempts, lastStatus, lastAnswer, lastError, durationMs, createdAt } = delivery;
  const { nextAttemptAt, eventId } = delivery;
  return (
    <Facts
      facts={[
        [text("admin.column.state"), <QueueBadge state={state} />],
        [text("shop.webhooks.eventId"), <code class="break">{eventId}</code>],
        [text("admin.queue.written"), <Moment at={createdAt} />],
        [text("admin.queue.attempts"), attempts],
        [text("shop.webhooks.next"), nextAttemptAt && <Moment at={nextAttemptAt} />],
        [text("shop.webhooks.status"), lastStatus],
        [text("shop.webhooks.duration"), durationMs === undefined ? undefined : `${durationMs} ms`],
        [text("shop.webhooks.error"), lastError && <span class="break">{lastError}</span>],
        [text("shop.webhooks.answer"), lastAnswer ? <code class="break">{lastAnswer}</code> : undefined],
      ]}
    />
  );
}

function DeliveryDialog(props: {
  path: string;
  tools: ListTools<DeliveryView>;
  onClose: () => void;
}): JSX.Element {
  const { path, tools, onClose } = props;
  const { data, error, refresh } = usePolled<WholeDelivery>(path, 0);
  const task = useTask();
  async function redeliver(): Promise<void> {
    await adminRequest(`${path}/redeliver`, { method: "POST" });
    showToast(text("shop.webhooks.redelivered"));
    onClose();
    await tools.refresh();
  }
  return (
    <Dialog
      title={data?.type ?? text("shop.webhooks.delivery")}
      wide
      onClose={onClose}
      actions={
        <>
          {tools.mayWrite && (
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

/** The deliveries of a webhook; state, page and open delivery are part of the URL. */
export function toDeliveries(id: string): Listing<DeliveryView> {
  const api = toWebhookPath(id, "/deliveries");
  return {
    api,
    navigation: "shop.webhooks.deliveries",
    texts: "shop.webhooks.deliveries",
    write: "shop-settings:write",
    idOf: (delivery) => delivery.id,
    nameOf: ({ type }) => type,
    itemIn: "delivery",
    Item: ({ view, tools, onClose }) => (
      <DeliveryDialog path={`${api}/${view.id}`} tools={tools} onClose={onClose} />
    ),
    table: {
      filters: [queueFilter],
      reload: true,
      columns: ({ open }) => [
        {
          key: "type",
          label: text("shop.webhooks.event"),
          cell: (delivery) => (
            <button type="button" class="link-button" onClick={() => open(delivery)}>
              {delivery.type}
            </button>
          ),
        },
        {
          key: "state",
          label: text("admin.column.state"),
          cell: ({ state, lastStatus, lastError }) => (
            <>
              <QueueBadge state={state} />{" "}
              <span class="field-hint break">{lastStatus ?? lastError ?? ""}</span>
            </>
          ),
        },
        {
          key: "attempts",
          label: text("admin.queue.attempts"),
          number: true,
          cell: ({ attempts }) => attempts,
        },
        { key: "at", label: text("admin.queue.written"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ],
    },
  };
}

/** The list below the form of a webhook. */
export function Deliveries({ id }: { id: string }): JSX.Element {
  const deliveries = useMemo(() => toDeliveries(id), [id]);
  return (
    <section class="stack" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">{text("shop.webhooks.deliveries")}</h2>
      <p class="field-hint">{text("shop.webhooks.deliveries.hint")}</p>
      <ResourceList of={deliveries} head="none" />
    </section>
  );
}
