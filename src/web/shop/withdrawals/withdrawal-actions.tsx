/** The steps of a withdrawal: accepted or declined, goods back, money back, done. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { MoveForm, NoteField, useMove } from "../ui/move-form.tsx";
import { OrderChoice } from "../ui/orders/order-choice.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { RefundDialog } from "../orders/actions/refund-dialog.tsx";
import type { WithdrawalState } from "../../../shop/withdrawals/schema.ts";
import { WITHDRAWALS, type WithdrawalView } from "../ui/orders/withdrawal-data.ts";

type Step = "accept" | "decline" | "return" | "close";

/** Which steps a state allows, the next one first. */
const steps: Readonly<Record<WithdrawalState, readonly Step[]>> = {
  received: ["accept", "decline"],
  accepted: ["return", "close", "decline"],
  returned: ["close"],
  closed: [],
  declined: [],
};

interface Part {
  readonly withdrawal: WithdrawalView;
  readonly order: OrderView | undefined;
  readonly onChange: () => Promise<void>;
}

function StepDialog({ withdrawal, onChange, step, onClose }: Part & { step: Step; onClose: () => void }) {
  const [note, setNote] = useState("");
  const [chosen, setChosen] = useState<OrderView | undefined>();
  const task = useMove(onChange);
  const needsOrder = step === "accept" && withdrawal.orderId === undefined;
  // The buyer reads why it was declined, and what to do with the goods.
  const isMailed = step === "accept" || step === "decline";
  async function send(): Promise<void> {
    const { id, version } = withdrawal;
    const body = { note: note.trim(), version, ...(chosen === undefined ? {} : { orderId: chosen.id }) };
    await adminRequest(`${WITHDRAWALS}/${id}/${step}`, { method: "POST", body });
    showToast(text(`shop.withdrawals.${step}.done`));
    await onChange();
    onClose();
  }
  function submit(): void {
    const faults = new Map<string, string>();
    if (needsOrder && chosen === undefined) faults.set("/orderId", text("shop.ui.chooseOrder"));
    if (step === "decline" && note.trim() === "") faults.set("/note", text("shop.withdrawals.decline.why"));
    if (faults.size > 0) task.refuse(faults);
    else void task.run(send);
  }
  return (
    <MoveForm
      title={text(`shop.withdrawals.${step}.title`, { number: withdrawal.orderNumber })}
      action={text(`shop.withdrawals.${step}`)}
      task={task}
      pointers={["/note", "/orderId"]}
      danger={step === "decline"}
      wide={needsOrder}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{text(`shop.withdrawals.${step}.text`)}</p>
      {needsOrder && (
        <OrderChoice
          first={withdrawal.orderNumber}
          error={task.errors.get("/orderId")}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      <NoteField value={note} task={task} forBuyer={isMailed} onInput={setNote} />
    </MoveForm>
  );
}

/** The buttons. */
export function WithdrawalActions(part: Part): JSX.Element | null {
  const { withdrawal, order, onChange } = part;
  const [open, setOpen] = useState<Step | "refund" | undefined>();
  const possible = steps[withdrawal.state];
  const close = (): void => setOpen(undefined);
  const canRefund = order !== undefined && order.amountPaid > 0 && possible.includes("close");
  if (possible.length === 0) return null;
  return (
    <div class="admin-actions">
      {canRefund && (
        <Button kind="primary" onClick={() => setOpen("refund")}>
          {text("shop.order.refund")}
        </Button>
      )}
      {possible.map((step, index) => (
        <Button
          key={step}
          kind={step === "decline" ? "danger" : index === 0 && !canRefund ? "primary" : "plain"}
          onClick={() => setOpen(step)}
        >
          {text(`shop.withdrawals.${step}`)}
        </Button>
      ))}
      {open === "refund" && order !== undefined && (
        <RefundDialog order={order} amount={withdrawal.suggestedRefund} onChange={onChange} onClose={close} />
      )}
      {open !== undefined && open !== "refund" && <StepDialog {...part} step={open} onClose={close} />}
    </div>
  );
}
