/** Who may use an application: members of the ticked groups, or everybody while none is ticked. */
import type { JSX } from "preact";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox } from "../../ui/controls.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { GROUPS, useEvery } from "./application-data.ts";

/** The groups, each with a tick. */
export function AllowedGroups(props: {
  allowed: readonly string[];
  error: string | undefined;
  onChange: (allowed: readonly string[]) => void;
}): JSX.Element {
  const { allowed, error, onChange } = props;
  const groups = useEvery<GroupView>(GROUPS);
  const known = new Set(groups.items.map(({ id }) => id));
  const gone = allowed.filter((id) => !known.has(id)).map((id) => ({ id, title: id }));
  const all = [...groups.items, ...gone];
  const isNone = all.length === 0 && !groups.busy && !groups.error;
  return (
    <>
      {groups.error && <ErrorNote message={toMessage(groups.error)} onRetry={groups.refresh} />}
      {isNone && (
        <p>
          {text("auth.applications.groups.none")}{" "}
          <a href="/admin/groups">{text("auth.applications.groups.make")}</a>
        </p>
      )}
      {all.length > 0 && (
        <div class="tick-list" role="group" aria-label={text("auth.applications.who")}>
          {all.map(({ id, title }) => (
            <Checkbox
              key={id}
              label={title}
              checked={allowed.includes(id)}
              onChange={(isAllowed) =>
                onChange(isAllowed ? [...allowed, id] : allowed.filter((one) => one !== id))
              }
            />
          ))}
          {error && <span class="field-error">{error}</span>}
        </div>
      )}
      <p class="field-hint" role="status">
        {text(
          allowed.length === 0 ? "auth.applications.groups.everybody" : "auth.applications.groups.members",
        )}
      </p>
    </>
  );
}
