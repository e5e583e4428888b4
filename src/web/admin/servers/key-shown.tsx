/** An agent's id and key, this once, and the lines that run the agent with them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { CopyBox } from "../pieces.tsx";
import type { CreatedServer } from "../server-data.ts";

type Runtime = "node" | "deno";

/** The same line for Deno: the monitor gives it for npm. */
export function toDenoCommand(command: string): string {
  return command.replace(/^npm run agent -- /u, "deno task agent ");
}

/** The line to run on a machine, for either runtime. */
export function CommandBox({ command }: { command: string }): JSX.Element {
  const [runtime, setRuntime] = useState<Runtime>("node");
  return (
    <div class="stack-small">
      <div class="button-row">
        <Segments<Runtime>
          label={text("admin.machine.runtime")}
          value={runtime}
          choices={[
            { value: "node", label: "Node" },
            { value: "deno", label: "Deno" },
          ]}
          onChange={setRuntime}
        />
      </div>
      <CopyBox
        label={text("admin.machine.command")}
        value={runtime === "node" ? command : toDenoCommand(command)}
      />
      <p class="field-hint">{text("admin.machine.where")}</p>
    </div>
  );
}

/** Id, key and line. */
export function KeyShown({ made }: { made: CreatedServer }): JSX.Element {
  return (
    <div class="stack">
      <p class="admin-note is-warn">
        <Icon name="key" />
        <span>{text("admin.key.once")}</span>
      </p>
      <div class="stack-small">
        <h3>{text("admin.agent.id")}</h3>
        <CopyBox label={text("admin.agent.id")} value={made.id} />
        <h3>{text("admin.agent.key")}</h3>
        <CopyBox label={text("admin.agent.key")} value={made.agentKey} />
      </div>
      <h3>{text("admin.machine.command")}</h3>
      <CommandBox command={made.command} />
    </div>
  );
}
