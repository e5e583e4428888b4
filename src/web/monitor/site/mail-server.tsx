/** The mail server: what is set, and a dialog to change and try it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { type MailServerView, mailServerSchema } from "../../../monitor/channels/mail-schema.ts";
import type { TestResult } from "../../../monitor/channels/schema.ts";
import { type TextName, text, withHint } from "../../app/texts.ts";
import { Button, SelectField, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { MAIL_SERVER } from "../channels/channel-data.ts";
import { TestResultBox } from "../channels/test-result.tsx";
import { SecretTextField } from "../../ui/console/field-kinds.tsx";
import { parseBounded } from "../../ui/forms/parsed.ts";
import { type FormPart, bindText } from "../../ui/forms/bind.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { EditorDialog } from "../../ui/console/form-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";

const POINTERS = ["/host", "/port", "/security", "/user", "/password", "/from", "/to"];
const bounds = describeSchema(mailServerSchema);
const securities = ["starttls", "tls", "none"] as const satisfies readonly MailServerView["security"][];
const usualPorts = { starttls: "587", tls: "465", none: "25" } as const;

interface MailForm {
  readonly host: string;
  readonly port: string;
  readonly security: MailServerView["security"];
  readonly user: string;
  /** "" keeps the stored one. */
  readonly password: string;
  readonly from: string;
  /** Who gets the test; not stored. */
  readonly to: string;
}

function toForm({ host, port, security, user, from }: MailServerView): MailForm {
  return { host, port: String(port), security, user, from, password: "", to: "" };
}

function toBody({ host, port, security, user, password, from }: MailForm): object {
  const changed = password === "" ? {} : { password };
  return {
    host: host.trim(),
    port: Number(port),
    security,
    user: user.trim(),
    from: from.trim(),
    ...changed,
  };
}

function findFaults({ port, to }: MailForm, isTest: boolean): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  if (parseBounded(port, bounds.port) === undefined) faults.set("/port", text("admin.fault.port"));
  if (isTest && !/^[^\s@]+@[^\s@]+$/u.test(to.trim())) faults.set("/to", text("admin.fault.mail"));
  return faults;
}

function MailFields(props: FormPart<MailForm> & { passwordSet: boolean }): JSX.Element {
  const { form, onChange, passwordSet } = props;
  return (
    <>
      <TextField {...withHint("admin.mail.host")} {...bindText(props, "host")} />
      <div class="field-row">
        <SelectField<MailForm["security"]>
          label={text("admin.mail.security")}
          value={form.security}
          choices={securities.map((value) => ({ value, label: text(`admin.mail.security.${value}`) }))}
          onChange={(security) => {
            // A port that nobody changed follows.
            const isUsual = form.port === usualPorts[form.security];
            onChange(isUsual ? { security, port: usualPorts[security] } : { security });
          }}
        />
        <TextField label={text("admin.field.port")} inputMode="numeric" {...bindText(props, "port")} />
      </div>
      <div class="field-row">
        <TextField label={text("admin.mail.user")} autoComplete="off" {...bindText(props, "user")} />
        <SecretTextField
          label={text("admin.field.password")}
          placeholder={passwordSet ? "••••" : undefined}
          hint={passwordSet ? text("admin.mail.password.kept") : undefined}
          {...bindText(props, "password")}
        />
      </div>
      <TextField
        label={text("admin.mail.from")}
        placeholder="Status <status@example.org>"
        {...bindText(props, "from")}
      />
      <TextField {...withHint("admin.mail.to")} type="email" {...bindText(props, "to")} />
    </>
  );
}

interface DialogProps {
  readonly view: MailServerView;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function MailServerDialog({ view, onDone, onClose }: DialogProps): JSX.Element {
  const [form, setForm] = useState<MailForm>(() => toForm(view));
  const [result, setResult] = useState<TestResult | undefined>();
  const task = useTask();
  const run = async (isTest: boolean, work: () => Promise<void>): Promise<boolean> => {
    const faults = findFaults(form, isTest);
    setResult(undefined);
    if (faults.size === 0) return task.run(work);
    task.refuse(faults);
    return false;
  };
  const test = async (): Promise<void> => {
    const body = { ...toBody(form), to: form.to.trim() };
    setResult(await adminRequest<TestResult>(`${MAIL_SERVER}/test`, { method: "POST", body }));
  };
  const save = async (): Promise<void> => {
    await adminRequest(MAIL_SERVER, { method: "PATCH", body: { ...toBody(form), version: view.version } });
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  };
  return (
    <EditorDialog
      title={text("admin.mail.title")}
      task={task}
      pointers={POINTERS}
      dirty={!isSame({ ...form, to: "" }, toForm(view))}
      onSave={() => run(false, save)}
      onTest={() => run(true, test)}
      onClose={onClose}
    >
      <MailFields
        form={form}
        errors={task.errors}
        passwordSet={view.passwordSet}
        onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      />
      {result && <TestResultBox result={result} onRetry={() => void run(true, test)} />}
    </EditorDialog>
  );
}

const sourceTexts: Readonly<Record<MailServerView["source"], TextName>> = {
  settings: "admin.mail.source.settings",
  environment: "admin.mail.source.environment",
  none: "admin.mail.source.none",
};

/** The panel of the settings. */
export function MailServerPanel(): JSX.Element {
  const { data, error, refresh } = usePolled<MailServerView>(MAIL_SERVER, 0);
  const [isOpen, setIsOpen] = useState(false);
  const { host = "", port = 0, from = "" } = (data?.source === "environment" ? data.environment : data) ?? {};
  return (
    <section class="admin-panel stack-small" aria-labelledby="mail-title">
      <div class="admin-head">
        <h2 id="mail-title">{text("admin.mail.title")}</h2>
        <span class="spacer" />
        {mayUse("monitor-settings:write") && (
          <Button small icon="edit" disabled={!data} onClick={() => setIsOpen(true)}>
            {text("admin.mail.set")}
          </Button>
        )}
      </div>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data && <p>{text(sourceTexts[data.source], { server: `${host}:${port}`, from })}</p>}
      {isOpen && data && (
        <MailServerDialog view={data} onDone={refresh} onClose={() => setIsOpen(false)} key={data.version} />
      )}
    </section>
  );
}
