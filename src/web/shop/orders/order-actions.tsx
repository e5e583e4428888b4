/** What an administrator does about one order. */
import type { ComponentType, JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import { type OrderPart, type OrderView, orderPath } from "../ui/orders/order-data.ts";
import { DeliverDialog } from "./actions/deliver-dialog.tsx";
import { RestockDialog, WithdrawalDialog } from "./actions/goods-dialogs.tsx";
import { PaidDialog } from "./actions/paid-dialog.tsx";
import { RefundDialog } from "./actions/refund-dialog.tsx";
import { ShipmentDialog } from "./actions/shipment-dialog.tsx";
import { CancelDialog, MailDialog, NoteDialog, TokenDialog } from "./actions/small-dialogs.tsx";

type DialogName =
  | ("paid" | "deliver" | "shipment" | "refund" | "restock" | "cancel" | "note" | "mail" | "token")
  | "withdraw";

const dialogs: Readonly<Record<DialogName, ComponentType<OrderPart & { onClose: () => void }>>> = {
  paid: PaidDialog,
  deliver: DeliverDialog,
  shipment: ShipmentDialog,
  refund: RefundDialog,
  restock: RestockDialog,
  cancel: CancelDialog,
  note: NoteDialog,
  mail: MailDialog,
  token: TokenDialog,
  withdraw: WithdrawalDialog,
};

/** Which of them the order's state allows. */
function listPossible(order: OrderView): ReadonlySet<DialogName> {
  const { status, amountPaid, lines, mails } = order;
  const isOpen = status === "pending_payment";
  const isBegun = status === "paid" || status === "fulfilling";
  const isOver = status === "delivered" || status === "completed";
  const isSent = lines.some(({ deliveryType }) => deliveryType === "shipping");
  const possible: Readonly<Record<DialogName, boolean>> = {
    paid: isOpen || status === "expired",
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

/** Where the buyer sees the order: shown, for whoever opens it acts as the buyer. */
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
      setLink((await adminRequest<{ url: string }>(orderPath(order.id, "/link"), { method: "POST" })).url);
    });
  const seldom = (["shipment", "restock", "mail", "withdraw", "token", "cancel"] as const)
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
      {Shown && <Shown order={order} onChange={onChange} onClose={() => setOpen(undefined)} />}
      {link !== undefined && <BuyersPage url={link} onClose={() => setLink(undefined)} />}
    </div>
  );
}
