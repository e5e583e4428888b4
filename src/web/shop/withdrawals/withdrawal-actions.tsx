/** The steps of a withdrawal: accepted or declined, returned, refunded, closed. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { WithdrawalView } from "../../../shop/withdrawals/answer-schema.ts";
import {
  type WithdrawalState,
  withdrawalAcceptanceSchema,
  withdrawalStepSchema,
} from "../../../shop/withdrawals/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type MadeForm, makeForm } from "../../ui/resource/form.ts";
import type { FieldRule } from "../../ui/resource/kind.ts";
import { orderKind } from "../kinds/order-kind.tsx";
import { RefundDialog } from "../orders/actions/refund-dialog.tsx";
import { MoveFields } from "../ui/move-fields.tsx";
import { type OrderView, mayWriteOrders } from "../ui/orders/order-data.ts";
import { WITHDRAWALS } from "../ui/orders/withdrawal-data.ts";

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

/** The form of a step. The buyer reads the note of those that are mailed. */
function makeStepForm(step: Step, { orderId, orderNumber }: WithdrawalView): MadeForm<unknown> {
  const isMailed = step === "accept" || step === "decline";
  const note: FieldRule<unknown> = {
    label: isMailed ? "shop.order.noteForBuyer" : "shop.order.noteForUs",
    ...(step === "decline" && { json: { min: 1, required: true }, missing: "shop.withdrawals.decline.why" }),
  };
  if (step !== "accept" || orderId !== undefined)
    return makeForm({
      schema: withdrawalStepSchema,
      words: "shop.withdrawals",
      fields: { note, version: false },
    });
  return makeForm({
    schema: withdrawalAcceptanceSchema,
    words: "shop.withdrawals",
    fields: { note, version: false, orderId: { kind: orderKind(orderNumber), label: "shop.ui.order" } },
    panels: [{ fields: ["orderId", "note"] }],
  });
}

function StepDialog({ withdrawal, onChange, step, onClose }: Part & { step: Step; onClose: () => void }) {
  const { id, version, orderNumber } = withdrawal;
  const form = useMemo(() => makeStepForm(step, withdrawal), [step, id]);
  return (
    <MoveFields
      title={text(`shop.withdrawals.${step}.title`, { number: orderNumber })}
      action={text(`shop.withdrawals.${step}`)}
      form={form}
      context={undefined}
      danger={step === "decline"}
      wide={form.fields.has("orderId")}
      done={text(`shop.withdrawals.${step}.done`)}
      send={(fields) => {
        const body = { ...fields, version };
        return adminRequest(`${WITHDRAWALS}/${id}/${step}`, { method: "POST", body });
      }}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text(`shop.withdrawals.${step}.text`)}</p>
    </MoveFields>
  );
}

/** The buttons. */
export function WithdrawalActions(part: Part): JSX.Element | null {
  const { withdrawal, order, onChange } = part;
  const [open, setOpen] = useState<Step | "refund" | undefined>();
  const possible = steps[withdrawal.state];
  const close = (): void => setOpen(undefined);
  const canRefund = order !== undefined && order.amountPaid > 0 && possible.includes("close");
  if (possible.length === 0 || !mayWriteOrders()) return null;
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
