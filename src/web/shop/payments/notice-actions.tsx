/** What a person decides about a payment notice: it is for an order, nothing is to be done, or the rules are tried again. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { MoveForm, NoteField } from "../ui/move-form.tsx";
import { PAYMENTS, type NoticeView, type ReviewedNotice, isOpen } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toReason } from "../ui/orders/notice-words.ts";
import { OrderChoice } from "../ui/orders/order-choice.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { PaymentMark, StatusMark } from "../ui/orders/order-marks.tsx";

interface Part {
  readonly notice: NoticeView;
  readonly onChange: () => Promise<void>;
}

type DialogProps = Part & { readonly onClose: () => void };

function AssignDialog({ notice, onChange, onClose }: DialogProps): JSX.Element {
  const [order, setOrder] = useState<OrderView | undefined>();
  const [note, setNote] = useState("");
  const task = useTask();
  async function send(orderId: string): Promise<void> {
    const body = { orderId, note: note.trim() };
    await adminRequest(`${PAYMENTS}/${notice.id}/assign`, { method: "POST", body });
    showToast(text("shop.payments.assign.done"));
    await onChange();
    onClose();
  }
  return (
    <MoveForm
      title={text("shop.payments.assign.title", { what: nameNotice(notice) })}
      action={text("shop.payments.assign")}
      task={task}
      pointers={["/orderId", "/note"]}
      wide
      onClose={onClose}
      onSubmit={() => {
        if (order === undefined) task.refuse(new Map([["/orderId", text("shop.ui.chooseOrder")]]));
        else void task.run(() => send(order.id));
      }}
    >
      <p>{text("shop.payments.assign.text")}</p>
      <OrderChoice
        first={notice.orderId ?? notice.claimedOrderId}
        error={task.errors.get("/orderId")}
        chosen={order}
        onChoose={setOrder}
      />
      <NoteField value={note} task={task} onInput={setNote} />
    </MoveForm>
  );
}

function DismissDialog({ notice, onChange, onClose }: DialogProps): JSX.Element {
  const [note, setNote] = useState("");
  const task = useTask();
  async function send(): Promise<void> {
    const body = { note: note.trim() };
    await adminRequest(`${PAYMENTS}/${notice.id}/dismiss`, { method: "POST", body });
    showToast(text("shop.payments.dismiss.done"));
    await onChange();
    onClose();
  }
  return (
    <MoveForm
      title={text("shop.payments.dismiss.title", { what: nameNotice(notice) })}
      action={text("shop.payments.dismiss")}
      task={task}
      pointers={["/note"]}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      <p>{text("shop.payments.dismiss.text")}</p>
      <NoteField value={note} task={task} onInput={setNote} />
    </MoveForm>
  );
}

/** What the rules would do now, before they do it. */
function ReplayDialog(props: DialogProps & { trial: ReviewedNotice }): JSX.Element {
  const { notice, onChange, onClose, trial } = props;
  const task = useTask();
  const { state, reason } = trial.notice;
  const isSame = state === notice.state && reason === notice.reason;
  async function send(): Promise<void> {
    await adminRequest(`${PAYMENTS}/${notice.id}/replay`, { method: "POST" });
    showToast(text("shop.payments.replay.done"));
    await onChange();
    onClose();
  }
  const said = (
    <>
      <p>
        {text("shop.payments.replay.would")} <NoticeState state={state} /> {reason !== "" && toReason(reason)}
      </p>
      {trial.order !== undefined && (
        <p class="marks">
          <span class="order-number">{trial.order.number}</span>
          <StatusMark status={trial.order.status} />
          <PaymentMark status={trial.order.paymentStatus} />
        </p>
      )}
    </>
  );
  if (isSame)
    return (
      <DoneDialog title={text("shop.payments.replay.title")} onClose={onClose}>
        <p>{text("shop.payments.replay.same")}</p>
      </DoneDialog>
    );
  return (
    <MoveForm
      title={text("shop.payments.replay.title")}
      action={text("shop.payments.replay.go")}
      task={task}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      {said}
    </MoveForm>
  );
}

/** The buttons. */
export function NoticeActions({ notice, onChange }: Part): JSX.Element {
  const [open, setOpen] = useState<"assign" | "dismiss" | undefined>();
  const [trial, setTrial] = useState<ReviewedNotice | undefined>();
  const task = useTask();
  const tryAgain = (): void =>
    void task.run(async () => {
      setTrial(await adminRequest(`${PAYMENTS}/${notice.id}/replay?dryRun=true`, { method: "POST" }));
    });
  const close = (): void => {
    setOpen(undefined);
    setTrial(undefined);
  };
  const part = { notice, onChange, onClose: close };
  const canReplay = notice.state !== "applied" && notice.state !== "dismissed";
  return (
    <div class="admin-actions">
      {isOpen(notice) && <Button onClick={() => setOpen("assign")}>{text("shop.payments.assign")}</Button>}
      {canReplay && (
        <Button disabled={task.busy} onClick={tryAgain}>
          {text("shop.payments.replay")}
        </Button>
      )}
      {isOpen(notice) && <Button onClick={() => setOpen("dismiss")}>{text("shop.payments.dismiss")}</Button>}
      {notice.orderId !== undefined && (
        <a class="button" href={`/admin/orders/${notice.orderId}`}>
          {text("shop.payments.openOrder")}
        </a>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open === "assign" && <AssignDialog {...part} />}
      {open === "dismiss" && <DismissDialog {...part} />}
      {trial !== undefined && <ReplayDialog {...part} trial={trial} />}
    </div>
  );
}
