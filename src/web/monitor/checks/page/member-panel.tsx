/** The servers and checks that a check of a group judges. */
import type { JSX } from "preact";
import type { DependencyView } from "../../../../monitor/alerts/http/dependency-routes.ts";
import { text } from "../../../app/texts.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { Panel } from "../../../ui/panel.tsx";
import { CheckStateBadge } from "../check-marks.tsx";

const POLL_MS = 10_000;

/** The panel, for the check with this id. */
export function MemberPanel({ id, group }: { id: string; group: string }): JSX.Element | null {
  const { data } = usePolled<DependencyView>(`/api/admin/dependencies/${encodeURIComponent(id)}`, POLL_MS);
  if (data === undefined) return null;
  return (
    <Panel small title={text("admin.members.title")}>
      {data.members.length === 0 && <p class="field-hint">{text("admin.members.none", { group })}</p>}
      <ul class="plain-list stack-small">
        {data.members.map(({ type, id: member, name, state }) => (
          <li key={`${type} ${member}`} class="check-rule">
            <CheckStateBadge state={state} />
            <a href={`/admin/${type}s/${encodeURIComponent(member)}`}>{name}</a>
            <span class="field-hint">{text(`admin.members.${type}`)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
