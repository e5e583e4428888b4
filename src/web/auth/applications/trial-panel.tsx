/** Claims and headers that the application would get about the administrator, computed without a sign-in. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, session } from "../../ui/console/session.ts";
import type { TrialClaims, TrialView } from "../../../auth/oidc/trial-schema.ts";
import type { ApplicationView } from "../../../auth/applications/schema.ts";
import { toApplicationPath } from "./application-data.ts";
import { Panel } from "../../ui/panel.tsx";

/** "x-auth-user-id" as documents write it. */
function toHeaderName(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/gu, (letter) => letter.toUpperCase());
}

function toJson(claims: TrialClaims): string {
  return JSON.stringify(claims, undefined, 2);
}

function Learned({ label, value }: { label: TextName; value: string }): JSX.Element {
  return (
    <section class="stack-small">
      <h3>{text(label)}</h3>
      <CopyBox label={text(label)} value={value} />
    </section>
  );
}

function Outcome({ trial, application }: { trial: TrialView; application: ApplicationView }): JSX.Element {
  const { username, refusal, idToken, userinfo, headers, assertion } = trial;
  if (refusal !== undefined) return <ErrorNote message={text(`auth.trial.${refusal}`, { name: username })} />;
  const isProxied = application.protectedOrigins.length > 0;
  // One that only a proxy protects has no sign-in of its own.
  const signsIn = !isProxied || application.redirectUris.length > 0 || application.deviceFlow;
  const told = Object.entries(headers ?? {}).map(([name, value]) => `${toHeaderName(name)}: ${value}`);
  return (
    <>
      <p role="status">{text("auth.trial.allowed", { name: username })}</p>
      {signsIn && idToken && <Learned label="auth.trial.idToken" value={toJson(idToken)} />}
      {signsIn && userinfo && <Learned label="auth.trial.userinfo" value={toJson(userinfo)} />}
      {isProxied && <Learned label="auth.trial.headers" value={told.join("\n")} />}
      {isProxied && assertion && <Learned label="auth.trial.assertion" value={toJson(assertion)} />}
    </>
  );
}

/** The panel. */
export function TrialPanel({ application }: { application: ApplicationView }): JSX.Element {
  const [trial, setTrial] = useState<TrialView>();
  const task = useTask();
  const { value: present } = session;
  // The administrator token is no person.
  const isPerson = present.kind === "in" && present.info.name !== "";
  const run = async (): Promise<void> =>
    setTrial(await adminRequest<TrialView>(`${toApplicationPath(application.id)}/trial`));
  return (
    <Panel
      small
      title={text("auth.trial.title")}
      hint={text(isPerson ? "auth.trial.hint" : "auth.trial.token")}
      class="beside-form proxy-lines"
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {isPerson && (
        <div class="button-row">
          <Button icon="refresh" disabled={task.busy} onClick={() => void task.run(run)}>
            {text("auth.trial.run")}
          </Button>
        </div>
      )}
      {trial && <Outcome trial={trial} application={application} />}
    </Panel>
  );
}
