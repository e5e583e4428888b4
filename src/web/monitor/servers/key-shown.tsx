/** An agent's id and key, this once, and the lines that run the agent with them. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { CopyBox } from "../../ui/console/pieces.tsx";
import type { CreatedServer } from "../../../monitor/fleet/view-schema.ts";
import { Note } from "../../ui/console/note.tsx";

/** Id, key and line. */
export function KeyShown({ made }: { made: CreatedServer }): JSX.Element {
  return (
    <div class="stack">
      <Note kind="warn" icon="key">
        {text("admin.key.once")}
      </Note>
      <div class="stack-small">
        <h3>{text("admin.agent.id")}</h3>
        <CopyBox label={text("admin.agent.id")} value={made.id} />
        <h3>{text("admin.agent.key")}</h3>
        <CopyBox label={text("admin.agent.key")} value={made.agentKey} />
      </div>
      <h3>{text("admin.machine.command")}</h3>
      <CopyBox label={text("admin.machine.command")} value={made.command} />
      <p class="field-hint">{text("admin.install.hand.hint")}</p>
    </div>
  );
}
