/** A mail to try the stored settings, and what the mail server said. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailStep, MailTest as MailTestAnswer } from "../../../kit/mail/mail.ts";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../controls.tsx";
import { TaskNote, useTask } from "../console/problem.tsx";
import { adminRequest } from "../console/session.ts";
import { findError } from "../forms/field-errors.ts";
import { Icon } from "../icons.tsx";

type Outcome = Pick<MailTestAnswer, "status" | "steps"> & { readonly reason?: string };

/** Each step with the server's own words. */
function Steps({ steps }: { steps: readonly MailStep[] }): JSX.Element {
  const icons = { ok: "check", failed: "alert", skipped: "minus" } as const;
  return (
    <ol class="mail-steps plain-list">
      {steps.map(({ step, result, said }) => (
        <li key={step} class={`is-${result}`}>
          <Icon name={icons[result]} />
          <span>
            <strong>{text(`admin.mailStep.${step}`)}</strong>{" "}
            {result === "skipped" ? text("admin.mailStep.skipped") : <code class="break">{said}</code>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A refusal that tells the steps up to the one that failed. */
function readRefusal(error: unknown): Outcome {
  const steps =
    error instanceof ApiError && error.code === "smtp_failed" ? error.details["steps"] : undefined;
  if (!Array.isArray(steps)) throw error;
  // As the service's document has it.
  return { status: "temporary", steps: steps as readonly MailStep[] };
}

/**
 * The panel. `path` takes the address by POST and answers with the steps, or is refused with them; `dirty` while the
 * form above has changes that the test would not see.
 */
export function MailTest({ path, dirty }: { path: string; dirty: boolean }): JSX.Element {
  const [to, setTo] = useState("");
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const task = useTask();
  async function send(): Promise<void> {
    setOutcome(undefined);
    const body = { to: to.trim() };
    // Without a status where every answer without a fault means that it was sent.
    const asked = adminRequest<Partial<Outcome>>(path, { method: "POST", body });
    setOutcome(await asked.then((answer) => ({ ...answer, status: answer.status ?? "sent" }), readRefusal));
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
      <h2 id="mail-test-title">{text("admin.mailTest")}</h2>
      <TaskNote task={task} pointers={["/to"]} />
      <TextField
        label={text("admin.mailTest.to")}
        hint={text(dirty ? "admin.try.dirty" : "admin.mailTest.hint")}
        type="email"
        autoComplete="email"
        value={to}
        error={findError(task.errors, "/to")}
        onInput={setTo}
      />
      <div class="button-row">
        <Button type="submit" icon="send" disabled={task.busy || dirty}>
          {text(task.busy ? "admin.busy" : "admin.send")}
        </Button>
      </div>
      <div role="status">
        {outcome && (
          <p class={`admin-note ${isSent ? "is-good" : "is-bad"}`}>
            <Icon name={isSent ? "check" : "alert"} />
            <span>
              {text(isSent ? "admin.mailTest.sent" : "admin.mailTest.failed")}{" "}
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
