/** A provider's metadata, and the URL to register there. */
import type { JSX } from "preact";
import type { UpstreamProbe, UpstreamView } from "../../../auth/upstream/schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Icon } from "../../ui/icons.tsx";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { PROVIDERS } from "./provider-data.ts";
import { Panel } from "../../ui/panel.tsx";

/** The panel. The test would not see changes of the form above. */
export function ProviderTest({ view: provider, dirty }: ItemTools<UpstreamView>): JSX.Element {
  const [probe, setProbe] = useState<UpstreamProbe | undefined>();
  const task = useTask();
  async function ask(): Promise<void> {
    setProbe(undefined);
    setProbe(await adminRequest<UpstreamProbe>(`${PROVIDERS}/${provider.id}/test`, { method: "POST" }));
  }
  const isGood = probe?.status === "ok";
  return (
    <Panel
      small
      title={text("auth.providers.there")}
      hint={text("auth.providers.redirectUri.hint", { provider: provider.title })}
      class="beside-form"
    >
      <CopyBox label={text("auth.providers.redirectUri")} value={provider.redirectUri} />
      <TaskNote task={task} pointers={[]} />
      {mayUse("auth-settings:write") && (
        <div class="button-row">
          <Button icon="online" disabled={task.busy || dirty} onClick={() => void task.run(ask)}>
            {text(task.busy ? "admin.busy" : "auth.providers.test")}
          </Button>
          {dirty && <span class="field-hint">{text("auth.applications.saveFirst")}</span>}
        </div>
      )}
      <div role="status">
        {probe && (
          <p class={`admin-note ${isGood ? "is-good" : "is-bad"}`}>
            <Icon name={isGood ? "check" : "alert"} />
            <span>
              {text(isGood ? "auth.providers.test.ok" : "auth.providers.test.failed")}{" "}
              {probe.reason !== undefined && <code class="break">{probe.reason}</code>}
            </span>
          </p>
        )}
        {probe?.says && (
          <dl class="facts">
            {Object.entries(probe.says).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="break">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Panel>
  );
}
