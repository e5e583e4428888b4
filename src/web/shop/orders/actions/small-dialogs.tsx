/** Dialogs of an order with one or two fields: cancel, note, resend mail, new token, flags. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { mailAgainSchema, moveSchema, orderNoteSchema } from "../../../../shop/fulfilment/schema.ts";
import type { Attention } from "../../../../shop/orders/schema.ts";
import { text } from "../../../app/texts.ts";
import { type MadeForm, makeForm } from "../../../ui/resource/form.ts";
import { choiceKind } from "../../../ui/resource/kinds.tsx";
import { MoveFields } from "../../ui/move-fields.tsx";
import { toMailName } from "../../ui/orders/event-names.ts";
import { type OrderPart, sendMove } from "../../ui/orders/order-data.ts";

interface DialogProps extends OrderPart {
  readonly onClose: () => void;
}

const forUs = makeForm({
  schema: moveSchema,
  words: "shop.order",
  fields: { note: { label: "shop.order.noteForUs" }, version: false },
});
const forBuyer = makeForm({
  schema: moveSchema,
  words: "shop.order",
  fields: { note: { label: "shop.order.noteForBuyer" }, version: false },
});
const noteAlone = makeForm({
  schema: orderNoteSchema,
  words: "shop.order",
  fields: {
    note: { label: "admin.column.note", hint: "shop.order.noteForUs.hint", missing: "admin.fault.empty" },
    version: false,
  },
});

/** Asks for a note, and sends the move. */
function NotedMove(
  props: DialogProps & {
    name: "cancel" | "renew-token" | "resolve";
    texts: "cancel" | "token" | "resolve";
    form?: MadeForm<unknown, object>;
    body?: object;
    danger?: boolean;
  },
): JSX.Element {
  const { order, onChange, onClose, name, texts, form = forUs, body = {}, danger } = props;
  return (
    <MoveFields
      title={text(`shop.order.${texts}.title`, { number: order.number })}
      action={text(`shop.order.${texts}`)}
      form={form}
      context={undefined}
      danger={danger}
      done={text(`shop.order.${texts}.done`)}
      send={(fields) => sendMove(order, name, { ...body, ...fields })}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text(`shop.order.${texts}.text`, { email: order.contact.email })}</p>
    </MoveFields>
  );
}

/** Cancels the order. */
export function CancelDialog(props: DialogProps): JSX.Element {
  return <NotedMove {...props} name="cancel" texts="cancel" form={forBuyer} danger />;
}

/** Another token opens the order. */
export function TokenDialog(props: DialogProps): JSX.Element {
  return <NotedMove {...props} name="renew-token" texts="token" />;
}

/** A person has looked at a flag. */
export function ResolveDialog({ flag, ...props }: DialogProps & { flag: Attention }): JSX.Element {
  return <NotedMove {...props} name="resolve" texts="resolve" body={{ flags: [flag] }} />;
}

/** A note that no buyer sees. */
export function NoteDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  return (
    <MoveFields
      title={text("shop.order.note.title", { number: order.number })}
      action={text("admin.save")}
      form={noteAlone}
      context={undefined}
      done={text("admin.saved")}
      send={(fields) => sendMove(order, "note", fields)}
      onChange={onChange}
      onClose={onClose}
    />
  );
}

/** A mail once more. */
export function MailDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const { mails } = order;
  const form = useMemo(
    () =>
      makeForm({
        schema: mailAgainSchema,
        words: "shop.order",
        fields: {
          mail: {
            label: "shop.order.mail.which",
            kind: choiceKind({ toLabel: toMailName, as: "list" }),
            json: { choices: mails },
          },
          note: false,
          version: false,
        },
      }),
    [mails],
  );
  const { email } = order.contact;
  return (
    <MoveFields
      title={text("shop.order.mail.title", { number: order.number })}
      action={text("shop.order.mail")}
      form={form}
      context={undefined}
      done={text("shop.order.mail.done", { email })}
      send={(fields) => sendMove(order, "repeat-mail", fields)}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.order.mail.text", { email })}</p>
    </MoveFields>
  );
}
