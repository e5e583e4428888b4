/** The file of checks that a machine is to run, ready to paste, and how far the machine is with it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CheckFileView } from "../../../monitor/places/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox } from "../../ui/controls.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { PlaceStateBadge } from "./place-state.tsx";
import { toServerPath } from "../server-data.ts";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";

const POLL_MS = 10_000;
/** Where an agent of install.sh looks for it. */
const FOLDER = "/var/lib/trivet-agent";

/** Permissions for checks that the owner of a machine may grant. */
const allowances = ["private", "ping"] as const satisfies CheckFileView["allow"];

function Notes({ file }: { file: CheckFileView }): JSX.Element {
  const { state, problem, leftOut, tooNew } = file;
  return (
    <>
      {problem !== undefined && <Note kind="bad">{text("admin.checkfile.problem", { problem })}</Note>}
      {state === "unneeded" && <Note>{text("admin.checkfile.unneeded")}</Note>}
      {leftOut > 0 && <Note kind="warn">{text("admin.checkfile.leftOut", { count: leftOut })}</Note>}
      {tooNew > 0 && <Note kind="warn">{text("admin.checkfile.tooNew", { count: tooNew })}</Note>}
    </>
  );
}

function FileText(props: {
  file: CheckFileView;
  onAllow: (allow: CheckFileView["allow"]) => void;
}): JSX.Element {
  const { file, onAllow } = props;
  const { allow, variables, fileName } = file;
  return (
    <>
      <fieldset class="plain-fieldset tick-list">
        <legend class="field-label">{text("admin.checkfile.allow")}</legend>
        {allowances.map((one) => (
          <Checkbox
            key={one}
            label={text(`admin.checkfile.allow.${one}`)}
            checked={allow.includes(one)}
            onChange={(ticked) =>
              onAllow(allowances.filter((each) => (each === one ? ticked : allow.includes(each))))
            }
          />
        ))}
      </fieldset>
      <p>
        {text("admin.checkfile.where")}{" "}
        <code>
          {FOLDER}/{fileName}
        </code>
      </p>
      <div class="check-file">
        <CopyBox label={text("admin.checkfile.text", { name: fileName })} value={file.text} />
      </div>
      {variables.length > 0 && (
        <p class="field-hint">
          {text("admin.checkfile.variables")} <code>{variables.join(", ")}</code>
        </p>
      )}
    </>
  );
}

/** The panel; nothing for a machine that no check names and that runs no file. */
export function CheckFilePanel({ serverId }: { serverId: string }): JSX.Element | null {
  const [allow, setAllow] = useState<CheckFileView["allow"]>();
  const query = allow === undefined ? "" : `?allow=${allow.join(",")}`;
  const path = `${toServerPath(serverId)}/check-file`;
  const { data } = usePolled<CheckFileView>(`${path}${query}`, POLL_MS);
  const [known, setKnown] = useState<CheckFileView>();
  if (data !== undefined && data !== known) setKnown(data);
  // The shown file stays until the one with other permissions has loaded.
  const file = data ?? known;
  if (
    file === undefined ||
    (file.checks + file.tooNew === 0 && file.state !== "unneeded" && file.problem === undefined)
  )
    return null;
  return (
    <Panel
      small
      title={text("admin.checkfile.title")}
      hint={text("admin.checkfile.hint")}
      action={<PlaceStateBadge state={file.state} />}
    >
      <Notes file={file} />
      {file.checks > 0 && <FileText file={file} onAllow={setAllow} />}
    </Panel>
  );
}
