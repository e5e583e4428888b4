/** Actions on one account. */
import type { JSX } from "preact";
import type { AdminUserView, OfferedLinkView } from "../../../auth/accounts/view-schema.ts";
import type { StatsView } from "../../../auth/admin/schema.ts";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type MenuItem, Menu } from "../../ui/controls-menu.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { EditRecord } from "../../ui/resource/item-dialogs.tsx";
import { ImpersonateDialog } from "./impersonate-dialog.tsx";
import { PointsDialog } from "./points-dialog.tsx";
import { RefuseUser } from "./refuse-dialog.tsx";
import { SuspendDialog } from "./suspend-dialog.tsx";
import { userPath } from "./user-data.ts";
import { accountForm } from "./user-forms.tsx";

interface Shown {
  readonly user: AdminUserView;
  readonly onChange: () => Promise<void>;
  readonly onClose: () => void;
}

function EditAccount({ user, onChange, onClose }: Shown): JSX.Element {
  return (
    <EditRecord
      title={text("auth.edit.title", { name: user.username })}
      path={userPath(user.id)}
      form={accountForm}
      context={undefined}
      view={user}
      onDone={onChange}
      onClose={onClose}
    />
  );
}

/** Sends the link, and shows it where no mail server would deliver it. */
function ResetLink({ user, onClose }: Omit<Shown, "onChange">): JSX.Element {
  const { data } = usePolled<StatsView>("/api/admin/stats", 0);
  const [link, setLink] = useState<OfferedLinkView | undefined>();
  const show = data?.mailServer === false;
  if (link !== undefined)
    return (
      <DoneDialog title={text("auth.user.resetLink")} onClose={onClose}>
        <p>{text("auth.user.resetLink.shown")}</p>
        <CopyBox label={text("auth.user.resetLink")} value={link.url ?? link.token ?? ""} />
      </DoneDialog>
    );
  async function send(): Promise<void> {
    const sent = await adminRequest<OfferedLinkView>(userPath(user.id, "/reset-link"), {
      method: "POST",
      body: { show },
    });
    if (show) setLink(sent);
    else {
      showToast(text("auth.user.resetLink.sent", { email: sent.sentTo }));
      onClose();
    }
  }
  return (
    <ConfirmTask
      title={text("auth.user.resetLink")}
      action={text("admin.send")}
      send={send}
      onClose={onClose}
    >
      {text(show ? "auth.user.resetLink.noServer" : "auth.user.resetLink.text", { email: user.email })}
    </ConfirmTask>
  );
}

function Suspend({ user, onChange, onClose }: Shown): JSX.Element {
  return (
    <SuspendDialog
      title={text("auth.user.suspend", { name: user.username })}
      send={async (suspension) => {
        await adminRequest(userPath(user.id, "/suspend"), { method: "POST", body: suspension });
        showToast(text("auth.user.suspend.done", { name: user.username }));
        await onChange();
      }}
      onClose={onClose}
    />
  );
}

function Delete({ user, onChange, onClose }: Shown): JSX.Element {
  return (
    <ConfirmTask
      title={text("auth.user.delete", { name: user.username })}
      action={text("admin.delete")}
      phrase={user.username}
      send={async () => {
        await adminRequest(userPath(user.id), { method: "DELETE" });
        showToast(text("admin.deleted", { name: user.username }));
        await onChange();
        onClose();
      }}
      onClose={onClose}
    >
      {text("auth.users.delete.text")}
    </ConfirmTask>
  );
}

/** A permanent deletion can't be undone. */
function Purge({ user, onClose }: Shown): JSX.Element {
  return (
    <ConfirmTask
      title={text("auth.user.purge.title", { name: user.username })}
      action={text("auth.user.purge")}
      phrase={user.username}
      send={async () => {
        await adminRequest(userPath(user.id, "?purge=true"), { method: "DELETE" });
        showToast(text("admin.deleted", { name: user.username }));
        navigate("/admin/users", { replace: true });
      }}
      onClose={onClose}
    >
      {text("auth.user.purge.text")}
    </ConfirmTask>
  );
}

function ChangeRole({ user, onChange, onClose }: Shown): JSX.Element {
  const isAdmin = user.role === "admin";
  const name = user.username;
  return (
    <ConfirmTask
      title={text(isAdmin ? "auth.user.demote.title" : "auth.user.promote.title", { name })}
      action={text(isAdmin ? "auth.user.demote" : "auth.user.promote")}
      send={async () => {
        const body = { role: isAdmin ? "user" : "admin" };
        await adminRequest(userPath(user.id), { method: "PATCH", body, version: user.version });
        showToast(text(isAdmin ? "auth.user.demote.done" : "auth.user.promote.done", { name }));
        await onChange();
        onClose();
      }}
      onClose={onClose}
    >
      {text(isAdmin ? "auth.user.demote.text" : "auth.user.promote.text")}
    </ConfirmTask>
  );
}

function ResetFactor({ user, onChange, onClose }: Shown): JSX.Element {
  const name = user.username;
  return (
    <ConfirmTask
      title={text("auth.user.resetFactor.title", { name })}
      action={text("auth.user.resetFactor")}
      danger
      send={async () => {
        await adminRequest(userPath(user.id, "/reset-mfa"), { method: "POST" });
        showToast(text("auth.user.resetFactor.done", { name }));
        await onChange();
        onClose();
      }}
      onClose={onClose}
    >
      {text("auth.user.resetFactor.text")}
    </ConfirmTask>
  );
}

function Refuse({ user, onClose }: Shown): JSX.Element {
  return <RefuseUser user={user} onDone={() => navigate("/admin/approvals")} onClose={onClose} />;
}

const dialogs = {
  edit: EditAccount,
  reset: ResetLink,
  impersonate: ImpersonateDialog,
  suspend: Suspend,
  role: ChangeRole,
  factor: ResetFactor,
  points: PointsDialog,
  delete: Delete,
  purge: Purge,
  refuse: Refuse,
} as const;
type Dialog = keyof typeof dialogs;

/** Actions that ask nothing. */
type Plain = "unsuspend" | "approve" | "restore" | "unlock";

/** Rare actions, by the account's state. */
function listSeldom(
  { status, role, secondFactor }: AdminUserView,
  { open, run }: { open: (dialog: Dialog) => void; run: (action: Plain) => void },
): readonly MenuItem[] {
  const isUsed = status === "active" || status === "suspended";
  const roleText = text(role === "admin" ? "auth.user.demote" : "auth.user.promote");
  const items: readonly (MenuItem & { readonly isOffered: boolean })[] = [
    {
      label: text("auth.user.impersonate"),
      isOffered: status === "active" && role === "user" && mayUse("administrator"),
      onSelect: () => open("impersonate"),
    },
    { label: roleText, isOffered: isUsed && mayUse("administrator"), onSelect: () => open("role") },
    { label: text("auth.user.unlock"), isOffered: isUsed, onSelect: () => run("unlock") },
    {
      label: text("auth.user.resetFactor"),
      isOffered: isUsed && secondFactor,
      onSelect: () => open("factor"),
    },
    { label: text("auth.points.change"), isOffered: isUsed, onSelect: () => open("points") },
    { label: text("admin.delete"), danger: true, isOffered: isUsed, onSelect: () => open("delete") },
    {
      label: text("auth.user.purge"),
      danger: true,
      isOffered: status !== "pending",
      onSelect: () => open("purge"),
    },
  ];
  return items.filter(({ isOffered }) => isOffered);
}

/** The buttons, as the account's state allows them. */
export function UserActions({ user, onChange }: Omit<Shown, "onClose">): JSX.Element {
  const [open, setOpen] = useState<Dialog | undefined>();
  const task = useTask();
  const { status } = user;
  const run = (action: Plain): void =>
    void task.run(async () => {
      await adminRequest(userPath(user.id, `/${action}`), { method: "POST" });
      showToast(text(`auth.user.${action}.done`, { name: user.username }));
      await onChange();
    });
  const Shown = open && dialogs[open];
  const plain = (action: Plain): JSX.Element => (
    <Button kind="primary" disabled={task.busy} onClick={() => run(action)}>
      {text(`auth.user.${action}`)}
    </Button>
  );
  const seldom = listSeldom(user, { open: setOpen, run });
  return (
    <div class="admin-actions">
      {status === "pending" && plain("approve")}
      {status === "pending" && (
        <Button onClick={() => setOpen("refuse")}>{text("auth.approvals.refuse")}</Button>
      )}
      {status === "suspended" && plain("unsuspend")}
      {status === "deleted" && plain("restore")}
      {status !== "deleted" && (
        <Button icon="edit" onClick={() => setOpen("edit")}>
          {text("admin.edit")}
        </Button>
      )}
      {status === "active" && <Button onClick={() => setOpen("reset")}>{text("auth.user.resetLink")}</Button>}
      {status === "active" && (
        <Button onClick={() => setOpen("suspend")}>{text("auth.users.suspend")}</Button>
      )}
      {seldom.length > 0 && <Menu label={text("auth.user.more")} items={seldom} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {Shown && <Shown user={user} onChange={onChange} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
