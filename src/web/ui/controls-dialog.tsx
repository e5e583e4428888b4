/** Dialogs on the browser's own <dialog>. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { text } from "../app/texts.ts";
import { Button, IconButton } from "./controls.tsx";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons at the foot. */
  readonly actions?: ComponentChildren;
  readonly wide?: boolean | undefined;
  readonly onClose: () => void;
  /** Turns the dialog into a form: the foot's submit button and Enter call it. */
  readonly onSubmit?: (() => void) | undefined;
}

/** A modal dialog, open for as long as it is drawn; the focus returns to where it was. */
export function Dialog({ title, children, actions, wide, onClose, onSubmit }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const content = (
    <>
      <div class="dialog-body">{children}</div>
      {actions && <div class="dialog-actions">{actions}</div>}
    </>
  );
  return (
    <dialog
      ref={ref}
      class={wide === true ? "wide" : ""}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        // The backdrop belongs to the dialog, what is drawn in it does not.
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="close" label={text("control.close")} onClick={onClose} />
      </div>
      {onSubmit === undefined ? (
        content
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // The dialog may be inside a form of the page, which must not be submitted.
            event.stopPropagation();
            onSubmit();
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  );
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: {
  title: string;
  children: ComponentChildren;
  /** Label of the button: the action, not "OK". */
  action: string;
  danger?: boolean | undefined;
  busy?: boolean | undefined;
  onConfirm: () => void;
  onClose: () => void;
}): JSX.Element {
  const { title, children, action, danger = false, busy = false, onConfirm, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind={danger ? "danger" : "primary"} disabled={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
