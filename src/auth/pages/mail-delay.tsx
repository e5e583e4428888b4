/** @jsxImportSource hono/jsx */
/** Shown to people who wait for an email while none can be sent. */
import type { Visit } from "./visit.tsx";

/** Says that the email is delayed. Shown to all visitors, so that it does not reveal whether one was written. */
export function MailDelay({ visit, isDelayed }: { readonly visit: Visit; readonly isDelayed: boolean }) {
  if (!isDelayed) return <></>;
  return (
    <p class="note" role="status">
      {visit.t("mail.delayed")}
    </p>
  );
}
