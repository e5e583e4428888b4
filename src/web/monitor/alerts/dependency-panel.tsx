/** What a check or server depends on, and what depends on it. */
import type { JSX } from "preact";
import type { DependencyView } from "../../../monitor/alerts/http/dependency-routes.ts";
import { text } from "../../app/texts.ts";
import { Note } from "../../ui/console/note.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { Panel } from "../../ui/panel.tsx";

const POLL_MS = 10_000;

type One = DependencyView["parents"][number];

function toPath({ type, id }: Pick<One, "type" | "id">): string {
  return `/admin/${type === "check" ? "checks" : "servers"}/${encodeURIComponent(id)}`;
}

function List({ title, items }: { title: string; items: readonly One[] }): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <>
      <h3 class="field-label">{title}</h3>
      <ul class="plain-list stack-small">
        {items.map((one) => (
          <li key={`${one.type} ${one.id}`}>
            <a href={toPath(one)}>{one.name}</a>{" "}
            <span class={one.state === "down" ? "is-warn-text" : "quiet-text"}>
              {text(`admin.depends.state.${one.state}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The panel; nothing where there are no dependencies. */
export function DependencyPanel({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<DependencyView>(`/api/admin/dependencies/${encodeURIComponent(id)}`, POLL_MS);
  if (data === undefined || data.parents.length + data.children.length === 0) return null;
  const { parents, children, behind, causedBy } = data;
  return (
    <Panel small title={text("admin.depends.title")}>
      {causedBy.length > 0 && (
        <Note kind="warn">
          {text("admin.depends.caused", { names: causedBy.map(({ name }) => name).join(", ") })}
        </Note>
      )}
      <List title={text("admin.depends.parents")} items={parents} />
      <List title={text("admin.depends.children")} items={children} />
      {children.length > 0 && <p class="field-hint">{text("admin.depends.behind", behind)}</p>}
    </Panel>
  );
}
