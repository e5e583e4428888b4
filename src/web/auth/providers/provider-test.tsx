/** What a provider says of itself now, and the address that it has to know. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { type ProviderView, toProviderPath } from "./provider-form.ts";

interface Probe {
  readonly status: "ok" | "failed";
  readonly reason?: string;
  readonly says?: Readonly<Record<string, string>>;
}

/** The panel; `dirty` while the form above has changes that the test would not see. */
export function ProviderTest({ provider, dirty }: { provider: ProviderView; dirty: boolean }): JSX.Element {
  const [probe, setProbe] = useState<Probe | undefined>();
  const task = useTask();
  async function ask(): Promise<void> {
    setProbe(undefined);
    setProbe(await adminRequest<Probe>(toProviderPath(provider.id, "/test"), { method: "POST" }));
  }
  const isGood = probe?.status === "ok";
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="provider-test-title">
      <h2 id="provider-test-title">{text("auth.providers.there")}</h2>
      <p class="field-hint">{text("auth.providers.redirectUri.hint", { provider: provider.title })}</p>
      <CopyBox label={text("auth.providers.redirectUri")} value={provider.redirectUri} />
      <TaskNote task={task} pointers={[]} />
      <div class="button-row">
        <Button icon="online" disabled={task.busy || dirty} onClick={() => void task.run(ask)}>
          {text(task.busy ? "admin.busy" : "auth.providers.test")}
        </Button>
        {dirty && <span class="field-hint">{text("auth.applications.saveFirst")}</span>}
      </div>
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
    </section>
  );
}
