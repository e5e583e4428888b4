/** Actions of an administrator on one order. */
import type { ComponentType, JSX } from "preact";
import type { OrderLink } from "../../../shop/fulfilment/answer-schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { lazy } from "../../pages/lazy.tsx";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import { type OrderPart, type OrderView, orderPath } from "../ui/orders/order-data.ts";
type DialogName =
  | (
      | "edit"
      | "items"
      | "paid"
      | "deliver"
      | "shipment"
      | "refund"
      | "restock"
      | "cancel"
      | "note"
      | "mail"
      | "token"
    )
  | "withdraw";

type DialogProps = OrderPart & { onClose: () => void; onRefund: () => void };

/** Each comes when it is opened first. */
const dialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  edit: lazy<DialogProps>(async () => (await import("./actions/edit-dialog.tsx")).EditDialog, null),
  items: lazy<DialogProps>(async () => (await import("./actions/items-dialog.tsx")).ItemsDialog, null),
  paid: lazy<DialogProps>(async () => (await import("./actions/paid-dialog.tsx")).PaidDialog, null),
  deliver: lazy<DialogProps>(async () => (await import("./actions/deliver-dialog.tsx")).DeliverDialog, null),
  shipment: lazy<DialogProps>(
    async () => (await import("./actions/shipment-dialog.tsx")).ShipmentDialog,
    null,
  ),
  refund: lazy<DialogProps>(async () => (await import("./actions/refund-dialog.tsx")).RefundDialog, null),
  restock: lazy<DialogProps>(async () => (await import("./actions/goods-dialogs.tsx")).RestockDialog, null),
  cancel: lazy<DialogProps>(async () => (await import("./actions/small-dialogs.tsx")).CancelDialog, null),
  note: lazy<DialogProps>(async () => (await import("./actions/small-dialogs.tsx")).NoteDialog, null),
  mail: lazy<DialogProps>(async () => (await import("./actions/small-dialogs.tsx")).MailDialog, null),
  token: lazy<DialogProps>(async () => (await import("./actions/small-dialogs.tsx")).TokenDialog, null),
  withdraw: lazy<DialogProps>(
    async () => (await import("./actions/goods-dialogs.tsx")).WithdrawalDialog,
    null,
  ),
};

/** Which of them the order's state allows. */
function listPossible(order: OrderView): ReadonlySet<DialogName> {
  const { status, amountPaid, lines, mails } = order;
  const isOpen = status === "pending_payment";
  const isBegun = status === "paid" || status === "fulfilling";
  const isOver = status === "delivered" || status === "completed";
  const isSent = lines.some(({ deliveryType }) => deliveryType === "shipping");
  const possible: Readonly<Record<DialogName, boolean>> = {
    edit: isOpen || isBegun || isOver,
    items: isOpen || isBegun,
    paid: isOpen || status === "expired" || order.amountDue > 0,
    deliver: isBegun,
    shipment: isSent && (isBegun || isOver),
    refund: amountPaid > 0,
    restock: lines.some(({ returnable }) => returnable > 0),
    cancel: (isOpen || isBegun) && amountPaid <= 0,
    note: true,
    mail: mails.length > 0,
    token: true,
    withdraw: isBegun || isOver,
  };
  // The keys are those of the table.
  return new Set((Object.keys(possible) as DialogName[]).filter((name) => possible[name]));
}

/** The buyer's URL of the order: shown as text, since opening it acts as the buyer. */
function BuyersPage({ url, onClose }: { url: string; onClose: () => void }): JSX.Element {
  return (
    <DoneDialog title={text("shop.order.link.title")} onClose={onClose}>
      <div class="stack">
        <p>{text("shop.order.link.text")}</p>
        <CopyBox label={text("shop.order.link")} value={url} />
        <a class="button" href={url} target="_blank" rel="noopener noreferrer">
          {text("shop.order.link.open")}
        </a>
      </div>
    </DoneDialog>
  );
}

/** The buttons. */
export function OrderActions({ order, onChange }: OrderPart): JSX.Element {
  const [open, setOpen] = useState<DialogName | undefined>();
  const [link, setLink] = useState<string | undefined>();
  const task = useTask();
  const possible = listPossible(order);
  const Shown = open && dialogs[open];
  const toButton = (name: DialogName, isFirst = false): JSX.Element | false =>
    possible.has(name) && (
      <Button kind={isFirst ? "primary" : "plain"} onClick={() => setOpen(name)}>
        {text(`shop.order.${name}`)}
      </Button>
    );
  const showLink = (): void =>
    void task.run(async () => {
      setLink((await adminRequest<OrderLink>(orderPath(order.id, "/link"), { method: "POST" })).url);
    });
  const seldom = (["items", "edit", "shipment", "restock", "mail", "withdraw", "token", "cancel"] as const)
    .filter((name) => possible.has(name))
    .map((name): MenuItem => ({
      label: text(`shop.order.${name}`),
      danger: name === "cancel",
      onSelect: () => setOpen(name),
    }));
  return (
    <div class="admin-actions">
      {toButton("paid", true)}
      {toButton("deliver", true)}
      {toButton("refund")}
      {toButton("note")}
      <Button disabled={task.busy} onClick={showLink}>
        {text("shop.order.link")}
      </Button>
      {seldom.length > 0 && <Menu label={text("shop.order.more")} items={seldom} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {Shown && (
        <Shown
          key={open}
          order={order}
          onChange={onChange}
          onRefund={() => setOpen("refund")}
          onClose={() => setOpen(undefined)}
        />
      )}
      {link !== undefined && <BuyersPage url={link} onClose={() => setLink(undefined)} />}
    </div>
  );
}
