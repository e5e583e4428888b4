/** Downloads of an order, and the reset of their limit. */
import type { JSX } from "preact";
import type { OrderDownloads as Downloaded } from "../../../shop/downloads/answer-schema.ts";
import { countText, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useMove } from "../ui/moves.tsx";
import { type OrderView, mayWriteOrders, orderPath } from "../ui/orders/order-data.ts";
import { Panel } from "../../ui/panel.tsx";

type LineDownloads = Downloaded["items"][number];

function LineFiles(props: {
  order: OrderView;
  line: LineDownloads;
  onChange: () => Promise<void>;
}): JSX.Element {
  const { order, line, onChange } = props;
  const task = useMove(onChange);
  const send = (fields: object): void =>
    void task.run(async () => {
      const body = { ...fields, version: line.version };
      await adminRequest(orderPath(order.id, `/downloads/${line.lineId}`), { method: "PATCH", body });
      showToast(text("admin.saved"));
      await onChange();
    });
  return (
    <li>
      <div>
        {line.files.map(({ fileId, title, downloads, downloadsLeft }) => (
          <p class="timeline-title" key={fileId}>
            {title}{" "}
            <span class="field-hint">
              {countText("shop.order.downloads.count", downloads)}
              {downloadsLeft !== undefined && ` · ${countText("shop.order.downloads.left", downloadsLeft)}`}
            </span>
          </p>
        ))}
        {line.state !== "usable" && <Badge kind="warn">{text(`shop.order.downloads.${line.state}`)}</Badge>}
        {line.expiresAt !== undefined && (
          <span class="field-hint">
            {text("shop.order.downloads.until")} <Moment at={line.expiresAt} />
          </span>
        )}
      </div>
      {mayWriteOrders() && (
        <div class="button-row">
          <Button
            small
            disabled={task.busy}
            onClick={() =>
              send({
                resetCount: true,
                ended: false,
                ...(line.state === "expired" ? { expiresAt: null } : {}),
              })
            }
          >
            {text("shop.order.downloads.again")}
          </Button>
          {line.state === "usable" && (
            <Button small disabled={task.busy} onClick={() => send({ ended: true })}>
              {text("shop.order.downloads.end")}
            </Button>
          )}
        </div>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
    </li>
  );
}

/** The panel; nothing for orders without files. */
export function OrderDownloads({ order }: { order: OrderView }): JSX.Element | null {
  return order.lines.some(({ deliveryType }) => deliveryType === "files") ? (
    <Downloads order={order} />
  ) : null;
}

function Downloads({ order }: { order: OrderView }): JSX.Element {
  const path = orderPath(order.id, "/downloads");
  const { data, error, refresh } = usePolled<Downloaded>(path, 0);
  return (
    <Panel title={text("shop.order.downloads")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data?.items.length === 0 && <p class="field-hint">{text("shop.order.downloads.none")}</p>}
      <ul class="plain-list lines">
        {data?.items.map((line) => (
          <LineFiles order={order} line={line} key={line.lineId} onChange={refresh} />
        ))}
      </ul>
    </Panel>
  );
}
