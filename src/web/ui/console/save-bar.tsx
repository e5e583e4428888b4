/** The bar at the foot of a form: whether something is unsaved, and the buttons that save it or take it back. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";

/** The bar. It lies in the form, whose submit it triggers. */
export function SaveBar(props: { dirty: boolean; busy: boolean; onRevert: () => void }): JSX.Element {
  const { dirty, busy, onRevert } = props;
  return (
    <div class={`save-bar${dirty ? " is-dirty" : ""}`}>
      <span role="status">{dirty ? text("admin.unsaved.mark") : text("admin.saved.mark")}</span>
      <Button disabled={!dirty || busy} onClick={onRevert}>
        {text("admin.revert")}
      </Button>
      <Button kind="primary" type="submit" disabled={!dirty || busy}>
        {text(busy ? "admin.saving" : "admin.save")}
      </Button>
    </div>
  );
}

/** Moves the focus to the first field that is wrong, once the page has drawn it. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]:not(div)")?.focus());
}
