/** Finding an account by its name or address, and taking it into a group. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { useEffect, useState } from "preact/hooks";
import { MAX_SEARCH } from "../../../auth/admin/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { ErrorNote, type Task } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { USERS } from "../users/user-data.ts";

/** Pause in typing before accounts are searched, in milliseconds. */
const TYPING_MS = 250;

interface MemberProps {
  readonly groupId: string;
  readonly task: Task;
  readonly onAdd: (user: AdminUserView) => Promise<void>;
}

function Found({ asked, groupId, task, onAdd }: MemberProps & { asked: string }): JSX.Element {
  const query = new URLSearchParams({ limit: "8", q: asked });
  const pages = usePages<AdminUserView>(`${USERS}?${query.toString()}`);
  const { items, busy, hasMore, error } = pages;
  return (
    <div class="stack-small" role="status">
      {error && <ErrorNote message={toMessage(error)} onRetry={pages.refresh} />}
      <ul class="plain-list lines">
        {items.map((user) => (
          <li key={user.id}>
            <span class="break">
              {user.username} <span class="field-hint">{user.email}</span>
            </span>
            {user.groups.includes(groupId) ? (
              <span class="field-hint">{text("auth.groups.in")}</span>
            ) : (
              <Button
                small
                icon="plus"
                disabled={task.busy}
                onClick={() => void task.run(() => onAdd(user)).then(pages.refresh)}
              >
                {text("auth.groups.take")} <span class="for-readers">{user.username}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {items.length === 0 && !busy && !hasMore && !error && (
        <p class="field-hint">{text("auth.groups.found.none")}</p>
      )}
      {hasMore && (
        <div class="button-row">
          <Button small disabled={busy} onClick={pages.more}>
            {text("admin.show.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The search and what it finds. */
export function AddMember(props: MemberProps): JSX.Element {
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <>
      <TextField
        label={text("auth.groups.find")}
        autoComplete="off"
        maxLength={MAX_SEARCH}
        value={typed}
        onInput={setTyped}
      />
      {asked !== "" && <Found {...props} asked={asked} />}
    </>
  );
}
