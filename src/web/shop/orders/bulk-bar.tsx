/** Bulk actions on orders. */
import type { JSX } from "preact";
import type { BulkResults } from "../../../shop/fulfilment/answer-schema.ts";
import { moveSchema } from "../../../shop/fulfilment/schema.ts";
import { csvSeparator } from "../../app/format.ts";
import { useState } from "preact/hooks";
import { countText, text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { type Outcome, OutcomesDialog, hasRefusals } from "../../ui/resource/outcomes.tsx";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { downloadPosted } from "../ui/download.ts";
import { ORDERS, type OrderView } from "../ui/orders/order-data.ts";
import { OrderLink } from "../ui/orders/order-marks.tsx";

type Action = "deliver" | "cancel";

function MoveDialog(props: {
  action: Action;
  orders: readonly OrderView[];
  onDone: (outcomes: readonly Outcome[]) => void;
  onClose: () => void;
}): JSX.Element {
  const { action, orders, onDone, onClose } = props;
  const [note, setNote] = useState("");
  const task = useTask();
  async function send(): Promise<void> {
    const body = { action, ids: orders.map(({ id }) => id), note: note.trim() };
    const { items } = await adminRequest<BulkResults>(`${ORDERS}/bulk`, {
      method: "POST",
      body,
    });
    onDone(items);
  }
  return (
    <FormDialog
      title={countText(`shop.orders.bulk.${action}.title`, orders.length)}
      action={text(`shop.orders.bulk.${action}`)}
      task={task}
      pointers={["/note"]}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      <div class="stack">
        <p>{text(`shop.orders.bulk.${action}.text`)}</p>
        <TextField
          label={text("shop.order.noteForBuyer")}
          error={task.errors.get("/note")}
          long
          maxLength={toFields(moveSchema)["note"]?.max}
          value={note}
          onInput={setNote}
        />
      </div>
    </FormDialog>
  );
}

/** The bar over the list, while some are ticked. */
export function BulkBar({ views, mayWrite, done }: BulkPart<OrderView>): JSX.Element {
  const [open, setOpen] = useState<Action | undefined>();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const task = useTask();
  const exportThem = (): void =>
    void task.run(() =>
      downloadPosted(
        `${ORDERS}/export`,
        { ids: views.map(({ id }) => id), bom: true, separator: csvSeparator() },
        "orders.csv",
      ),
    );
  return (
    <div class="bulk-bar" role="region" aria-label={text("shop.orders.bulk")}>
      <strong>{countText("shop.orders.bulk.chosen", views.length)}</strong>
      {mayWrite && (
        <>
          <Button onClick={() => setOpen("deliver")}>{text("shop.orders.bulk.deliver")}</Button>
          <Button onClick={() => setOpen("cancel")}>{text("shop.orders.bulk.cancel")}</Button>
        </>
      )}
      <Button icon="download" disabled={task.busy} onClick={exportThem}>
        {text("shop.orders.bulk.export")}
      </Button>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open !== undefined && (
        <MoveDialog
          action={open}
          orders={views}
          onClose={() => setOpen(undefined)}
          onDone={(items) => {
            setOpen(undefined);
            if (hasRefusals(items)) setOutcomes(items);
            else {
              showToast(countText("shop.orders.bulk.done", items.length));
              void done();
            }
          }}
        />
      )}
      {outcomes.length > 0 && (
        <OutcomesDialog
          title={text("shop.orders.bulk.refused")}
          outcomes={outcomes}
          toDone={(count) => countText("shop.orders.bulk.done", count)}
          nameOf={(id) => <OrderLink id={id} number={views.find((order) => order.id === id)?.number} />}
          onClose={() => {
            setOutcomes([]);
            void done();
          }}
        />
      )}
    </div>
  );
}
