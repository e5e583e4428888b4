/** Suspending one account or many: why, and until when. */
import type { JSX } from "preact";
import type { z } from "zod";
import type { suspensionSchema } from "../../../auth/admin/schema.ts";
import { text } from "../../app/texts.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { suspensionForm } from "./user-forms.tsx";

/** Asks for both; `send` suspends the account, and throws errors. */
export function SuspendDialog(props: {
  title: string;
  send: (suspension: z.input<typeof suspensionSchema>) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, send, onClose } = props;
  return (
    <FieldsDialog
      title={title}
      action={text("auth.users.suspend")}
      form={suspensionForm}
      context={undefined}
      above={<p>{text("auth.users.suspend.text")}</p>}
      send={send}
      onDone={onClose}
      onClose={onClose}
    />
  );
}
