/** The passkeys of an account, which an administrator takes away when a device was lost. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import type { AdminPasskeyView } from "../../../auth/accounts/view-schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { Ago } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { mayChangeUsers, userPath } from "./user-data.ts";

/** The panel; nothing for an account without passkeys. */
export function UserPasskeys({ id }: { id: string }): JSX.Element | null {
  const { data, error, refresh } = usePolled<Items<AdminPasskeyView>>(userPath(id, "/passkeys"), 0);
  const [removed, setRemoved] = useState<AdminPasskeyView | undefined>();
  if (error === undefined && (data?.items ?? []).length === 0) return null;
  return (
    <Panel small title={text("auth.user.passkeys")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      <ul class="plain-list lines">
        {data?.items.map((passkey) => (
          <li key={passkey.id}>
            <span class="break">
              {passkey.label}{" "}
              <span class="field-hint">
                <Ago at={passkey.lastUsedAt} />
              </span>
            </span>
            {mayChangeUsers() && (
              <Button small onClick={() => setRemoved(passkey)}>
                {text("admin.remove")} <span class="for-readers">{passkey.label}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removed !== undefined && (
        <ConfirmTask
          title={text("auth.user.removePasskey")}
          action={text("admin.remove")}
          danger
          send={async () => {
            await adminRequest(userPath(id, `/passkeys/${removed.id}`), { method: "DELETE" });
            await refresh();
            setRemoved(undefined);
          }}
          onClose={() => setRemoved(undefined)}
        >
          {text("auth.user.removePasskey.text", { name: removed.label })}
        </ConfirmTask>
      )}
    </Panel>
  );
}
