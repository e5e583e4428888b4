/** Actions for a payment notification: assign it to an order, dismiss it, or apply the rules again. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { NoticeView, ReviewedNotice } from "../../../shop/payments/answer-schema.ts";
import { noticeAssignmentSchema, noticeDismissalSchema } from "../../../shop/payments/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { orderKind } from "../kinds/order-kind.tsx";
import { MoveFields } from "../ui/move-fields.tsx";
import { PAYMENTS, isOpen } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toReason } from "../ui/orders/notice-words.ts";
import { mayWriteOrders } from "../ui/orders/order-data.ts";
import { PaymentMark, StatusMark } from "../ui/orders/order-marks.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";

interface Part {
  readonly notice: NoticeView;
  readonly onChange: () => Promise<void>;
}

type DialogProps = Part & { readonly onClose: () => void };

const noteForUs = { note: { label: "shop.order.noteForUs" } } as const;

function AssignDialog({ notice, onChange, onClose }: DialogProps): JSX.Element {
  const form = useMemo(
    () =>
      makeForm({
        schema: noticeAssignmentSchema,
        words: "shop.payments",
        fields: {
          ...noteForUs,
          orderId: { kind: orderKind(notice.orderId ?? notice.claimedOrderId), label: "shop.ui.order" },
        },
      }),
    [notice.id],
  );
  return (
    <MoveFields
      title={text("shop.payments.assign.title", { what: nameNotice(notice) })}
      action={text("shop.payments.assign")}
      form={form}
      context={undefined}
      wide
      done={text("shop.payments.assign.done")}
      send={(body) => adminRequest(`${PAYMENTS}/${notice.id}/assign`, { method: "POST", body })}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.payments.assign.text")}</p>
    </MoveFields>
  );
}

const dismissal = makeForm({ schema: noticeDismissalSchema, words: "shop.payments", fields: noteForUs });

function DismissDialog({ notice, onChange, onClose }: DialogProps): JSX.Element {
  return (
    <MoveFields
      title={text("shop.payments.dismiss.title", { what: nameNotice(notice) })}
      action={text("shop.payments.dismiss")}
      form={dismissal}
      context={undefined}
      done={text("shop.payments.dismiss.done")}
      send={(body) => adminRequest(`${PAYMENTS}/${notice.id}/dismiss`, { method: "POST", body })}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.payments.dismiss.text")}</p>
    </MoveFields>
  );
}

/** Preview of what the rules would do. */
function ReplayDialog(props: DialogProps & { trial: ReviewedNotice }): JSX.Element {
  const { notice, onChange, onClose, trial } = props;
  const { state, reason } = trial.notice;
  const isSame = state === notice.state && reason === notice.reason;
  async function send(): Promise<void> {
    await adminRequest(`${PAYMENTS}/${notice.id}/replay`, { method: "POST" });
    showToast(text("shop.payments.replay.done"));
    await onChange();
    onClose();
  }
  if (isSame)
    return (
      <DoneDialog title={text("shop.payments.replay.title")} onClose={onClose}>
        <p>{text("shop.payments.replay.same")}</p>
      </DoneDialog>
    );
  return (
    <ConfirmTask
      title={text("shop.payments.replay.title")}
      action={text("shop.payments.replay.go")}
      send={send}
      onClose={onClose}
    >
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
    </ConfirmTask>
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
  const canWrite = mayWriteOrders();
  const canDecide = canWrite && isOpen(notice);
  const canReplay = canWrite && notice.state !== "applied" && notice.state !== "dismissed";
  return (
    <div class="admin-actions">
      {canDecide && <Button onClick={() => setOpen("assign")}>{text("shop.payments.assign")}</Button>}
      {canReplay && (
        <Button disabled={task.busy} onClick={tryAgain}>
          {text("shop.payments.replay")}
        </Button>
      )}
      {canDecide && <Button onClick={() => setOpen("dismiss")}>{text("shop.payments.dismiss")}</Button>}
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
