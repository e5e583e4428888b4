/** Unsaved changes: the reader must confirm before they are lost. */
import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { guardLeaving } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { ConfirmDialog } from "../controls-dialog.tsx";

function holdTab(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks before the page is left while `dirty`; draw it once with the form. */
export function UnsavedGuard({ dirty }: { dirty: boolean }): JSX.Element | null {
  const [leave, setLeave] = useState<(() => void) | undefined>();
  // At once, and not after the next paint: who has just saved may be on the way to another page.
  useLayoutEffect(() => {
    if (!dirty) return undefined;
    addEventListener("beforeunload", holdTab);
    const release = guardLeaving((goOn) => {
      setLeave(() => goOn);
      return true;
    });
    return () => {
      removeEventListener("beforeunload", holdTab);
      release();
    };
  }, [dirty]);
  if (leave === undefined) return null;
  return <DiscardDialog onDiscard={leave} onClose={() => setLeave(undefined)} />;
}

/** Asks whether changes may be thrown away. */
export function DiscardDialog(props: { onDiscard: () => void; onClose: () => void }): JSX.Element {
  const { onDiscard, onClose } = props;
  return (
    <ConfirmDialog
      title={text("admin.unsaved.title")}
      action={text("admin.unsaved.discard")}
      danger
      onClose={onClose}
      onConfirm={() => {
        onClose();
        onDiscard();
      }}
    >
      <p>{text("admin.unsaved.text")}</p>
    </ConfirmDialog>
  );
}
