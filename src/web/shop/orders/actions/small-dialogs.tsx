/** What an administrator does about an order with a word or two: cancel, note, mail again, another token, flags. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../../app/texts.ts";
import { SelectField, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { MoveForm, NoteField, useMove } from "../../ui/move-form.tsx";
import { toMailName } from "../../ui/orders/event-names.ts";
import type { Attention } from "../../../../shop/orders/schema.ts";
import { type OrderPart, sendMove } from "../../ui/orders/order-data.ts";

interface DialogProps extends OrderPart {
  readonly onClose: () => void;
}

/** Asks for a note, and sends the move. */
function NotedMove(
  props: DialogProps & {
    name: "cancel" | "renew-token" | "resolve";
    texts: "cancel" | "token" | "resolve";
    body?: object;
    danger?: boolean;
    forBuyer?: boolean;
  },
): JSX.Element {
  const { order, onChange, onClose, name, texts, body = {}, danger, forBuyer } = props;
  const [note, setNote] = useState("");
  const task = useMove(onChange);
  async function send(): Promise<void> {
    await sendMove(order, name, { ...body, note: note.trim() });
    showToast(text(`shop.order.${texts}.done`));
    await onChange();
    onClose();
  }
  return (
    <MoveForm
      title={text(`shop.order.${texts}.title`, { number: order.number })}
      action={text(`shop.order.${texts}`)}
      task={task}
      pointers={["/note"]}
      danger={danger}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      <p>{text(`shop.order.${texts}.text`, { email: order.contact.email })}</p>
      <NoteField value={note} task={task} forBuyer={forBuyer} onInput={setNote} />
    </MoveForm>
  );
}

/** Cancels the order. */
export function CancelDialog(props: DialogProps): JSX.Element {
  return <NotedMove {...props} name="cancel" texts="cancel" danger forBuyer />;
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
  const [note, setNote] = useState("");
  const task = useMove(onChange);
  async function send(): Promise<void> {
    await sendMove(order, "note", { note: note.trim() });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  return (
    <MoveForm
      title={text("shop.order.note.title", { number: order.number })}
      action={text("admin.save")}
      task={task}
      pointers={["/note"]}
      onClose={onClose}
      onSubmit={() => {
        if (note.trim() === "") task.refuse(new Map([["/note", text("admin.fault.empty")]]));
        else void task.run(send);
      }}
    >
      <TextField
        label={text("admin.column.note")}
        hint={text("shop.order.noteForUs.hint")}
        error={task.errors.get("/note")}
        long
        required
        maxLength={1_000}
        value={note}
        onInput={setNote}
      />
    </MoveForm>
  );
}

/** A mail once more. */
export function MailDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const [mail, setMail] = useState(order.mails[0] ?? "");
  const task = useMove(onChange);
  async function send(): Promise<void> {
    await sendMove(order, "repeat-mail", { mail });
    showToast(text("shop.order.mail.done", { email: order.contact.email }));
    await onChange();
    onClose();
  }
  return (
    <MoveForm
      title={text("shop.order.mail.title", { number: order.number })}
      action={text("shop.order.mail")}
      task={task}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      <p>{text("shop.order.mail.text", { email: order.contact.email })}</p>
      <SelectField<string>
        label={text("shop.order.mail.which")}
        value={mail}
        choices={order.mails.map((value) => ({ value, label: toMailName(value) }))}
        onChange={setMail}
      />
    </MoveForm>
  );
}
