/** The check of the install: what is wrong with it, and what to do. */
import type { JSX } from "preact";
import type { DoctorView } from "../../../kit/observe/doctor-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Badge } from "../console/pieces.tsx";
import { usePolled } from "../console/polled.ts";
import { ErrorNote } from "../console/problem.tsx";
import { toMessage } from "../forms/fault-words.ts";
import { Panel } from "../panel.tsx";

const DOCTOR = "/api/admin/doctor";

const badges = {
  warning: { kind: "warn", icon: "info" },
  problem: { kind: "bad", icon: "alert" },
} as const;

function Findings({ view }: { view: DoctorView }): JSX.Element {
  const told = view.findings.filter(({ level }) => level !== "ok");
  if (told.length === 0)
    return (
      <Badge kind="good" icon="check">
        {text("admin.doctor.well", { count: view.findings.length })}
      </Badge>
    );
  return (
    <ul class="plain-list stack-small">
      {told.map(({ check, level, message, advice }) =>
        level === "ok" ? null : (
          <li key={check + message}>
            <Badge {...badges[level]}>{text(`admin.doctor.${level}`)}</Badge> <span lang="en">{message}</span>
            {advice !== undefined && (
              <p class="field-hint" lang="en">
                {advice}
              </p>
            )}
          </li>
        ),
      )}
    </ul>
  );
}

/** The panel. */
export function DoctorPanel(): JSX.Element {
  const { data, error, refresh } = usePolled<DoctorView>(DOCTOR, 0);
  return (
    <Panel small title={text("admin.doctor")}>
      {error && <ErrorNote message={toMessage(error)} />}
      {data ? <Findings view={data} /> : !error && <p class="field-hint">{text("admin.doctor.runs")}</p>}
      <div class="button-row">
        <Button onClick={() => void refresh()}>{text("admin.doctor.again")}</Button>
      </div>
    </Panel>
  );
}
