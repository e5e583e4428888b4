/** Signing everybody out at once, as after a break-in. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { adminRequest, checkSession } from "../../ui/console/session.ts";

/** Asks for confirmation; afterward the console requires a sign-in, too. */
export function EndSessions({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <ConfirmTask
      title={text("auth.users.endSessions")}
      danger
      send={async () => {
        await adminRequest("/api/admin/sessions/revoke-all", { method: "POST", body: { confirm: true } });
        await checkSession();
      }}
      onClose={onClose}
    >
      {text("auth.users.endSessions.text")}
    </ConfirmTask>
  );
}
