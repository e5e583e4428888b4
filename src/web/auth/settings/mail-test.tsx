/** A mail to try the stored settings, and what the mail server said. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailStep } from "../../../kit/mail/mail.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { Icon } from "../../ui/icons.tsx";

interface Outcome {
  readonly status: "sent" | "temporary" | "permanent";
  readonly reason?: string;
  readonly steps?: readonly MailStep[];
}

/** Each step with the server's own words. */
function Steps({ steps }: { steps: readonly MailStep[] }): JSX.Element {
  const icons = { ok: "check", failed: "alert", skipped: "minus" } as const;
  return (
    <ol class="mail-steps plain-list">
      {steps.map(({ step, result, said }) => (
        <li key={step} class={`is-${result}`}>
          <Icon name={icons[result]} />
          <span>
            <strong>{text(`auth.settings.step.${step}`)}</strong>{" "}
            {result === "skipped" ? text("auth.settings.step.skipped") : <code class="break">{said}</code>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The panel; `dirty` while the form above has changes that the test would not see. */
export function MailTest({ dirty }: { dirty: boolean }): JSX.Element {
  const [to, setTo] = useState("");
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const task = useTask();
  async function send(): Promise<void> {
    setOutcome(undefined);
    const body = { to: to.trim() };
    setOutcome(await adminRequest<Outcome>("/api/admin/settings/mail/test", { method: "POST", body }));
  }
  const isSent = outcome?.status === "sent";
  return (
    <form
      class="admin-panel stack-small"
      aria-labelledby="mail-test-title"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void task.run(send);
      }}
    >
      <h2 id="mail-test-title">{text("auth.settings.test")}</h2>
      <TaskNote task={task} pointers={["/to"]} />
      <TextField
        label={text("auth.settings.test.to")}
        hint={text(dirty ? "auth.settings.test.dirty" : "auth.settings.test.hint")}
        type="email"
        autoComplete="email"
        value={to}
        error={findError(task.errors, "/to")}
        onInput={setTo}
      />
      <div class="button-row">
        <Button type="submit" icon="send" disabled={task.busy || dirty}>
          {text(task.busy ? "admin.busy" : "auth.settings.test.send")}
        </Button>
      </div>
      <div role="status">
        {outcome && (
          <p class={`admin-note ${isSent ? "is-good" : "is-bad"}`}>
            <Icon name={isSent ? "check" : "alert"} />
            <span>
              {text(isSent ? "auth.settings.test.sent" : "auth.settings.test.failed")}{" "}
              {outcome.steps === undefined && outcome.reason !== undefined && (
                <code class="break">{outcome.reason}</code>
              )}
            </span>
          </p>
        )}
        {outcome?.steps && <Steps steps={outcome.steps} />}
      </div>
    </form>
  );
}
