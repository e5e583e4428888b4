/** Edits the items and the shipping of an order: the new amounts and what becomes due are shown first. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EditPreviewView } from "../../../../shop/order-edits/answer-schema.ts";
import { ownPriceSchema } from "../../../../shop/order-edits/schema.ts";
import { ApiError } from "../../../app/api.ts";
import { text } from "../../../app/texts.ts";
import { Button, Checkbox, SelectField, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { DoneDialog, FormDialog } from "../../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { usePreview } from "../../../ui/forms/use-preview.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { MoneyField } from "../../ui/money-field.tsx";
import { showMoney } from "../../ui/money.ts";
import { EditAmounts } from "./edit-amounts.tsx";
import { NoteField } from "../../ui/moves.tsx";
import { AddProduct } from "../../ui/orders/add-product.tsx";
import { nameLine } from "../../ui/orders/line-name.ts";
import {
  type LineView,
  type OrderPart,
  type OrderView,
  orderPath,
  sendMove,
} from "../../ui/orders/order-data.ts";
import {
  type ItemsForm,
  type OtherChange,
  type TypedLine,
  blankItems,
  hasOwnPrice,
  listOthers,
  toEditBody,
  typedOf,
} from "./items-form.ts";

type Change = (change: Partial<ItemsForm>) => void;

function Row(props: {
  name: string;
  currency: string;
  typed: TypedLine;
  onInput: (typed: TypedLine) => void;
  onRemove: () => void;
}): JSX.Element {
  const { name, currency, typed, onInput, onRemove } = props;
  const isGone = typed.quantity.trim() === "0";
  return (
    <li class="stack-small">
      <div class="field-row">
        <TextField
          label={text("shop.order.items.quantity", { name })}
          inputMode="numeric"
          value={typed.quantity}
          onInput={(quantity) => onInput({ ...typed, quantity })}
        />
        <MoneyField
          label={text("shop.order.items.price", { name })}
          currency={currency}
          value={typed.price}
          onInput={(price) => onInput({ ...typed, price })}
        />
      </div>
      {!isGone && (
        <Button small icon="trash" onClick={onRemove}>
          {text("shop.order.items.remove", { name })}
        </Button>
      )}
    </li>
  );
}

function isFrozen({ deliveredAt, returned = 0 }: LineView): boolean {
  return deliveredAt !== undefined || returned > 0;
}

/** The amounts of what is typed, or why it cannot be saved. */
function useAmounts(order: OrderView, body: object | undefined) {
  const key = body === undefined ? undefined : `${order.version} ${JSON.stringify(body)}`;
  return usePreview(key, () =>
    adminRequest<EditPreviewView>(orderPath(order.id, "/edit-preview"), { method: "POST", body }),
  );
}

/** What another saved in the meantime, beside what is typed here. */
function Others({ others }: { others: readonly OtherChange[] }): JSX.Element {
  return (
    <div class="admin-note is-warn" role="alert">
      <div class="stack-small">
        <strong>{text("shop.order.items.others")}</strong>
        <ul class="plain-list">
          {others.map(({ title, mine, theirs }) => (
            <li key={title} class="conflict">
              <h3>{title}</h3>
              <dl>
                <dt>{text("admin.conflict.mine")}</dt>
                <dd>{mine}</dd>
                <dt>{text("admin.conflict.theirs")}</dt>
                <dd>{theirs}</dd>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Shipping(props: {
  order: OrderView;
  form: ItemsForm;
  shown: EditPreviewView | undefined;
  onChange: Change;
}) {
  const { order, form, shown, onChange } = props;
  const { currency, shippingTitle, shipping } = order;
  const methods = shown?.shippingMethods ?? [];
  const present = [shippingTitle ?? "", showMoney(shipping, currency)]
    .filter((part) => part !== "")
    .join(": ");
  return (
    <div class="field-row">
      {methods.length > 0 && (
        <SelectField<string>
          label={text("shop.order.sum.shipping")}
          value={form.methodId}
          choices={[
            { value: "", label: text("shop.order.items.asIs", { present }) },
            ...methods.map(({ id, title, price }) => ({
              value: id,
              label: `${title}: ${showMoney(price, currency)}`,
            })),
          ]}
          onChange={(methodId) => onChange({ methodId })}
        />
      )}
      <MoneyField
        label={text("shop.order.items.fee")}
        hint={text("shop.order.items.feeHint", { present })}
        currency={currency}
        value={form.fee}
        onInput={(fee) => onChange({ fee })}
      />
    </div>
  );
}

/** The lines of the order, and the added products. */
function Rows({
  order,
  form,
  onChange,
}: {
  order: OrderView;
  form: ItemsForm;
  onChange: Change;
}): JSX.Element {
  return (
    <ul class="plain-list stack">
      {order.lines.map((line) =>
        isFrozen(line) ? (
          <li key={line.id} class="field-hint">
            {text("shop.order.items.frozen", { name: `${line.quantity} × ${nameLine(line)}` })}
          </li>
        ) : (
          <Row
            key={line.id}
            name={nameLine(line)}
            currency={order.currency}
            typed={typedOf(order, form, line)}
            onInput={(typed) => onChange({ lines: { ...form.lines, [line.id]: typed } })}
            onRemove={() =>
              onChange({
                lines: { ...form.lines, [line.id]: { ...typedOf(order, form, line), quantity: "0" } },
              })
            }
          />
        ),
      )}
      {form.items.map((item) => (
        <Row
          key={item.key}
          name={item.title}
          currency={order.currency}
          typed={item}
          onInput={(typed) =>
            onChange({
              items: form.items.map((one) => (one.key === item.key ? { ...one, ...typed } : one)),
            })
          }
          onRemove={() => onChange({ items: form.items.filter(({ key }) => key !== item.key) })}
        />
      ))}
    </ul>
  );
}

/** After an edit that leaves money to give back. */
function Overpaid(props: { amount: string; onRefund: () => void; onClose: () => void }): JSX.Element {
  return (
    <DoneDialog title={text("shop.order.items.overpaid")} onClose={props.onClose}>
      <div class="stack">
        <p>{text("shop.order.items.toRefund", { amount: props.amount })}</p>
        <div class="button-row">
          <Button kind="primary" onClick={props.onRefund}>
            {text("shop.order.refund")}
          </Button>
        </div>
      </div>
    </DoneDialog>
  );
}

/** The dialog. `onRefund` opens that for a refund. */
export function ItemsDialog(props: OrderPart & { onClose: () => void; onRefund: () => void }): JSX.Element {
  const { onChange, onClose, onRefund } = props;
  const [overpaid, setOverpaid] = useState(0);
  const [order, setOrder] = useState(props.order);
  const [form, setForm] = useState(blankItems);
  const [others, setOthers] = useState<readonly OtherChange[]>([]);
  const task = useTask();
  const body = toEditBody(order, form);
  const { shown, fault } = useAmounts(order, body);
  const change: Change = (changed) => setForm((now) => ({ ...now, ...changed }));
  async function send(edit: object, expectedTotal: number): Promise<void> {
    const { note, mail } = form;
    try {
      await sendMove(order, "edit", { ...edit, expectedTotal, note: note.trim(), mail });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
      const stored = await adminRequest<OrderView>(orderPath(order.id));
      setOthers(listOthers(order, stored, form));
      setOrder(stored);
      throw new ApiError(text("shop.order.items.stale"), { status: error.status, code: "shop_stale" });
    }
    showToast(text("admin.saved"));
    await onChange();
    if (shown !== undefined && shown.overpaid > 0 && order.status !== "pending_payment")
      setOverpaid(shown.overpaid);
    else onClose();
  }
  function submit(): void {
    if (body === undefined || shown === undefined)
      task.refuse(new Map([["/lines", fault ?? text("shop.order.items.nothing")]]));
    else void task.run(() => send(body, shown.total));
  }
  const isReasonAsked = hasOwnPrice(order, form);
  if (overpaid > 0)
    return <Overpaid amount={showMoney(overpaid, order.currency)} onRefund={onRefund} onClose={onClose} />;
  return (
    <FormDialog
      title={text("shop.order.items.title", { number: order.number })}
      action={text("shop.order.items.save")}
      task={task}
      pointers={["/note"]}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      <div class="stack">
        {others.length > 0 && <Others others={others} />}
        <Rows order={order} form={form} onChange={change} />
        <AddProduct currency={order.currency} onAdd={(item) => change({ items: [...form.items, item] })} />
        {isReasonAsked && (
          <TextField
            label={text("shop.order.items.reason")}
            hint={text("shop.order.items.reasonHint")}
            value={form.reason}
            maxLength={toFields(ownPriceSchema)["reason"]?.max}
            onInput={(reason) => change({ reason })}
          />
        )}
        <Shipping order={order} form={form} shown={shown} onChange={change} />
        {fault !== undefined && <ErrorNote message={fault} />}
        {shown !== undefined && <EditAmounts order={order} shown={shown} />}
        <NoteField value={form.note} task={task} forBuyer onInput={(note) => change({ note })} />
        <Checkbox
          label={text("shop.order.edit.mail")}
          checked={form.mail}
          onChange={(mail) => change({ mail })}
        />
      </div>
    </FormDialog>
  );
}
