/** A new secret for an application; the present one cannot be shown. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { ApplicationView, NewApplicationView } from "../../../auth/applications/schema.ts";
import { toApplicationPath } from "./application-data.ts";
import { SecretShown } from "./secret-shown.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Actions on an application's secrets. */
const deeds = {
  second: { path: "secrets", method: "POST", isDangerous: false },
  new: { path: "rotate-secret", method: "POST", isDangerous: true },
  retire: { path: "secrets/older", method: "DELETE", isDangerous: true },
} as const;
type Deed = keyof typeof deeds;

/** The panel; `dirty` while the form above has changes, which a new version would meet. */
export function SecretPanel(props: {
  application: ApplicationView;
  dirty: boolean;
  onChanged: (application: ApplicationView) => void;
}): JSX.Element {
  const { application, dirty, onChanged } = props;
  const { id, name, hasOlderSecret } = application;
  const [asked, setAsked] = useState<Deed>();
  const [made, setMade] = useState<NewApplicationView>();
  async function act(deed: Deed): Promise<void> {
    const { path, method } = deeds[deed];
    const next = await adminRequest<ApplicationView | NewApplicationView>(
      `${toApplicationPath(id)}/${path}`,
      { method },
    );
    setAsked(undefined);
    if ("secret" in next) setMade(next);
    onChanged(next);
  }
  const offered: readonly Deed[] = hasOlderSecret ? ["retire", "new"] : ["second", "new"];
  return (
    <Panel small title={text("auth.applications.secret.title")} class="beside-form">
      <p class="field-hint">
        {text(hasOlderSecret ? "auth.applications.secret.two" : "auth.applications.secret.hint")}
      </p>
      <div class="button-row">
        {offered.map((deed) => (
          <Button key={deed} icon="key" disabled={dirty} onClick={() => setAsked(deed)}>
            {text(`auth.applications.secret.${deed}`)}
          </Button>
        ))}
        {dirty && <span class="field-hint">{text("auth.applications.saveFirst")}</span>}
      </div>
      {asked && (
        <ConfirmTask
          title={text(`auth.applications.secret.${asked}`)}
          danger={deeds[asked].isDangerous}
          send={() => act(asked)}
          onClose={() => setAsked(undefined)}
        >
          {text(`auth.applications.secret.${asked}.text`, { name })}
        </ConfirmTask>
      )}
      {made && <SecretShown made={made} onClose={() => setMade(undefined)} />}
    </Panel>
  );
}
