/** The mail server: what is set, and a dialog to change and try it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type MailServerView, mailServerFormSchema } from "../../../monitor/channels/mail-schema.ts";
import type { TestResult } from "../../../monitor/channels/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { EditFieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm, pickFields, toTyped } from "../../ui/resource/form.ts";
import { type Form, type KindOf, isTypedGroup, memberText } from "../../ui/resource/kind.ts";
import { choiceKind, numberKind } from "../../ui/resource/kinds.tsx";
import { secretKind } from "../../ui/resource/secret-kinds.tsx";
import { MAIL_SERVER } from "../channels/channel-data.ts";
import { TestResultBox } from "../channels/test-result.tsx";
import { Panel } from "../../ui/panel.tsx";

const usualPorts: Readonly<Record<MailServerView["security"], string>> = {
  starttls: "587",
  tls: "465",
  none: "25",
};

function toUsualPort({ security }: Form): string | undefined {
  return Object.entries(usualPorts).find(([name]) => name === security)?.[1];
}

/** A port that follows the security until another one is typed. */
const portKind: KindOf<unknown> = (json) => {
  const kind = numberKind()(json);
  const toShown = (value: Parameters<typeof kind.read>[0], form: Form): string =>
    isTypedGroup(value) && value["own"] === true
      ? memberText(value, "typed")
      : (toUsualPort(form) ?? memberText(value, "typed"));
  return {
    ...kind,
    blank: { typed: "", own: false },
    toTyped: (value, { form }) => ({ typed: String(value), own: String(value) !== toUsualPort(form) }),
    read: (value, at) => kind.read(toShown(value, at.form), at),
    Field: (props) => (
      <kind.Field
        {...props}
        value={toShown(props.value, props.form)}
        onChange={(typed) => props.onChange({ typed, own: typed !== toUsualPort(props.form) })}
      />
    ),
  };
};

export const mailForm = makeForm({
  schema: mailServerFormSchema,
  words: "admin.mail",
  fields: {
    security: { kind: choiceKind({ as: "list" }) },
    port: {
      kind: portKind,
      label: "admin.field.port",
      fault: "admin.fault.port",
      missing: "admin.fault.port",
    },
    password: { kind: secretKind, label: "admin.field.password" },
    from: { json: { placeholder: "Status <status@example.org>" } },
    to: { json: { keyboard: "email" } },
  },
  panels: [{ fields: ["host", ["security", "port"], ["user", "password"], "from", "to"] }],
});

interface DialogProps {
  readonly view: MailServerView;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** The dialog; it tries the server before it saves. */
export function MailServerDialog({ view, onDone, onClose }: DialogProps): JSX.Element {
  const stored = { ...pickFields(mailForm, view), password: view.passwordSet };
  return (
    <EditFieldsDialog
      title={text("admin.mail.title")}
      form={mailForm}
      context={undefined}
      initial={toTyped(mailForm, stored, undefined)}
      save={async ({ to: _to, ...fields }) => {
        await adminRequest(MAIL_SERVER, { method: "PATCH", body: { ...fields, version: view.version } });
        await onDone();
        onClose();
      }}
      checkTest={({ to = "" }) =>
        new Map(/^[^\s@]+@[^\s@]+$/u.test(to) ? [] : [["/to", "admin.fault.mail"] as const])
      }
      test={async (body) => {
        const result = await adminRequest<TestResult>(`${MAIL_SERVER}/test`, { method: "POST", body });
        return (again) => <TestResultBox result={result} onRetry={again} />;
      }}
      onClose={onClose}
    />
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
    <Panel
      small
      title={text("admin.mail.title")}
      action={
        mayUse("monitor-settings:write") && (
          <Button small icon="edit" disabled={!data} onClick={() => setIsOpen(true)}>
            {text("admin.mail.set")}
          </Button>
        )
      }
    >
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data && <p>{text(sourceTexts[data.source], { server: `${host}:${port}`, from })}</p>}
      {isOpen && data && (
        <MailServerDialog view={data} onDone={refresh} onClose={() => setIsOpen(false)} key={data.version} />
      )}
    </Panel>
  );
}
