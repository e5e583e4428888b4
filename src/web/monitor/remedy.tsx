/** What was rejected for want of a setting: one table of settings, each with the button that sets it in place. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailServerView } from "../../monitor/channels/mail-schema.ts";
import { type PrivateSetting, type RemedySetting, remedySettings } from "../../monitor/site/schema.ts";
import { text } from "../app/texts.ts";
import { lazy } from "../pages/lazy.tsx";
import { Button } from "../ui/controls.tsx";
import { showToast } from "../ui/controls-toast.tsx";
import { TaskNote, useTask } from "../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../ui/console/session.ts";
import { MAIL_SERVER } from "./channels/channel-data.ts";

// Few refusals lack one of these.
const MailServerDialog = lazy(async () => (await import("./site/mail-server.tsx")).MailServerDialog, null);
const PublicUrlDialog = lazy(
  async () => (await import("./site/public-url-dialog.tsx")).PublicUrlDialog,
  null,
);

interface RemedyProps {
  /** Tries again. */
  readonly onDone: () => void;
}

/** Allows private addresses, and tries again. */
function AllowPrivate({ setting, onDone }: RemedyProps & { setting: PrivateSetting }): JSX.Element {
  const task = useTask();
  async function allow(): Promise<void> {
    await adminRequest("/api/admin/settings", { method: "PATCH", body: { [setting]: true } });
    showToast(text("admin.saved"));
    onDone();
  }
  return (
    <>
      <TaskNote task={task} pointers={[]} />
      <Button icon="check" disabled={task.busy} onClick={() => void task.run(allow)}>
        {text("admin.allowPrivate")}
      </Button>
    </>
  );
}

function SetPublicUrl({ onDone }: RemedyProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="edit" onClick={() => setIsOpen(true)}>
        {text("admin.remedy.publicUrl.action")}
      </Button>
      {isOpen && <PublicUrlDialog onDone={onDone} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SetUpEmail({ onDone }: RemedyProps): JSX.Element {
  const task = useTask();
  const [view, setView] = useState<MailServerView>();
  const open = (): void =>
    void task.run(async () => setView(await adminRequest<MailServerView>(MAIL_SERVER)));
  return (
    <>
      <TaskNote task={task} pointers={[]} />
      <Button icon="edit" disabled={task.busy} onClick={open}>
        {text("admin.remedy.mailServer.action")}
      </Button>
      {view && (
        <MailServerDialog view={view} onDone={async () => onDone()} onClose={() => setView(undefined)} />
      )}
    </>
  );
}

function CreateStatusPage(): JSX.Element {
  return (
    <a class="button" href="/admin/status/new" target="_blank">
      {text("admin.remedy.statusPage.action")}
    </a>
  );
}

/** Each setting: the scope of the people who may set it, and the button. */
const remedies: Readonly<
  Record<RemedySetting, { scope: string; Draw: (props: RemedyProps) => JSX.Element }>
> = {
  privateTargets: {
    scope: "administrator",
    Draw: (props) => <AllowPrivate setting="privateTargets" {...props} />,
  },
  privateReceivers: {
    scope: "administrator",
    Draw: (props) => <AllowPrivate setting="privateReceivers" {...props} />,
  },
  publicUrl: { scope: "administrator", Draw: SetPublicUrl },
  mailServer: { scope: "monitor-settings:write", Draw: SetUpEmail },
  statusPage: { scope: "status-pages:write", Draw: CreateStatusPage },
};

/** The button with its effect, or whom to ask without the permission for it. Nothing for an unknown setting. */
export function Remedy({ setting: name, onDone }: RemedyProps & { setting: string }): JSX.Element | null {
  const setting = remedySettings.find((one) => one === name);
  if (setting === undefined) return null;
  const { scope, Draw } = remedies[setting];
  const may = mayUse(scope);
  return (
    <div class="stack-small remedy">
      <p class="field-hint">{text(`admin.remedy.${setting}`)}</p>
      {may ? (
        <div>
          <Draw onDone={onDone} />
        </div>
      ) : (
        <p>{text(scope === "administrator" ? "admin.remedy.ask.owner" : "admin.remedy.ask")}</p>
      )}
    </div>
  );
}
