/** The secret of a webhook, shown this once. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";

/** The dialog. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }): JSX.Element {
  return (
    <DoneDialog title={text("shop.webhooks.secret")} onClose={onClose}>
      <div class="stack-small">
        <p>{text("shop.webhooks.secret.text")}</p>
        <CopyBox label={text("shop.webhooks.secret")} value={secret} />
      </div>
    </DoneDialog>
  );
}
