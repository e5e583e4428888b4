/** Invites: who may register with them, who did, new ones by mail or as links. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import {
  type InviteUseView,
  type InviteView,
  type NewInviteView,
  bulkInvitesSchema,
  inviteChangeSchema,
  inviteStates,
} from "../../../auth/registration/invite-schema.ts";
import { basePath } from "../../app/path.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { Ago, Badge, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { type Form, toTexts } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { type ListTools, type Resource, toItemPath } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

const API = "/api/admin/invites";
const badges = { open: "good", used: "idle", expired: "warn", disabled: "bad" } as const;

/** The links of new invites, which are shown this once. */
function MadeInvites({ made, onClose }: { made: { items: readonly NewInviteView[] }; onClose: () => void }) {
  return (
    <DoneDialog title={text("auth.invites.made")} onClose={onClose}>
      <p>{text("auth.invites.once")}</p>
      <ul class="plain-list stack">
        {made.items.map(({ id, code, boundEmail, mailedAt }) => {
          const query = new URLSearchParams({ invite: code, ...(boundEmail && { email: boundEmail }) });
          return (
            <li key={id}>
              {boundEmail && (
                <p class="field-hint">
                  {text(mailedAt ? "auth.invites.mailedTo" : "auth.invites.boundTo", { email: boundEmail })}
                </p>
              )}
              <CopyBox
                label={text("auth.invites.link")}
                value={`${location.origin}${basePath}/sign-up?${query.toString()}`}
              />
            </li>
          );
        })}
      </ul>
    </DoneDialog>
  );
}

function Uses({ id }: { id: string }): JSX.Element {
  const { data, error } = usePolled<Items<InviteUseView>>(`${API}/${id}/uses`, 0);
  return (
    <>
      <h3>{text("auth.invites.uses")}</h3>
      {error && <ErrorNote message={toMessage(error)} />}
      {data?.items.length === 0 && <p>{text("auth.invites.noUses")}</p>}
      <ul class="plain-list lines">
        {data?.items.map(({ userId, username, at }) => (
          <li key={userId}>
            {username === undefined ? (
              text("auth.invites.goneUser")
            ) : (
              <a href={`/admin/users/${userId}`}>{username}</a>
            )}
            <span class="field-hint">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The name of an invite in a list. */
function nameOf({ boundEmail, prefix }: InviteView): string {
  return boundEmail ?? `${prefix}…`;
}

/** One invite: who used it, a new link, and its end. */
function Item(props: { view: InviteView; tools: ListTools<InviteView>; onClose: () => void }): JSX.Element {
  const { view, tools, onClose } = props;
  const path = toItemPath({ api: API }, view.id);
  const task = useTask();
  async function renew(): Promise<void> {
    const renewed = await adminRequest<NewInviteView>(`${path}/renew`, { method: "POST", body: {} });
    tools.showMade({ items: [renewed] });
  }
  async function revoke(): Promise<void> {
    await adminRequest(path, { method: "DELETE" });
    showToast(text("auth.invites.revoked", { name: nameOf(view) }));
    onClose();
    await tools.refresh();
  }
  const actions = tools.mayWrite && (
    <>
      <Button kind="danger" disabled={task.busy} onClick={() => void task.run(revoke)}>
        {text("auth.invites.revoke")}
      </Button>
      <Button disabled={task.busy || view.state !== "open"} onClick={() => void task.run(renew)}>
        {text(view.boundEmail === undefined ? "auth.invites.renew" : "auth.invites.resend")}
      </Button>
    </>
  );
  return (
    <Dialog title={nameOf(view)} onClose={onClose} actions={actions}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{text("auth.invites.panel")}</p>
      <Uses id={view.id} />
    </Dialog>
  );
}

const isBound = ({ boundEmails }: Form): boolean => toTexts(boundEmails).length > 0;
const isForAnyone = (form: Form): boolean => !isBound(form);
const toOwnName = (tag: string): string => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

export const newInvites = makeForm({
  schema: bulkInvitesSchema,
  words: "auth.invites",
  fields: {
    boundEmails: { label: "auth.invites.emails" },
    mail: { when: isBound },
    language: {
      when: ({ mail, ...form }) => isBound(form) && mail === true,
      kind: choiceKind({ toLabel: toOwnName }),
    },
    count: { when: isForAnyone, json: { initial: 1, required: true } },
    maxUses: { when: isForAnyone, json: { initial: 1, required: true } },
    ttlDays: { label: "auth.invites.days", json: { initial: 30, required: true } },
    note: { label: "admin.column.note" },
    expiresAt: false,
    boundEmail: false,
    emailDomains: false,
  },
  panels: [{ fields: ["boundEmails", "mail", "language", "count", "maxUses", "ttlDays", "note"] }],
});

export const invites: Resource<InviteView, typeof inviteChangeSchema> = {
  api: API,
  home: "/admin/invites",
  navigation: "auth.nav.invites",
  texts: "auth.invites",
  words: "auth.invites",
  write: "users:write",
  schema: inviteChangeSchema,
  idOf: ({ id }) => id,
  nameOf,
  creation: {
    form: newInvites,
    as: "dialog",
    initial: () => ({ language: currentLanguage() }),
    action: (form) => (isBound(form) && form["mail"] === true ? "admin.send" : "auth.invites.make"),
    send: ({ boundEmails = [], ...fields }) => {
      const forWhom =
        Array.isArray(boundEmails) && boundEmails.length > 0 ? { boundEmails, maxUses: 1 } : { mail: false };
      return adminRequest(`${API}/bulk`, { method: "POST", body: { ...fields, ...forWhom } });
    },
    Made: MadeInvites,
  },
  Item,
  table: {
    class: "users-table",
    paging: "more",
    search: "auth.invites.search",
    filters: [
      { name: "state", label: "admin.column.state", values: inviteStates, words: "auth.invites.state" },
    ],
    columns: ({ open }) => [
      {
        key: "for",
        label: text("auth.invites.for"),
        cell: (invite) => (
          <>
            <button type="button" class="link-button" onClick={() => open(invite)}>
              {nameOf(invite)}
            </button>
            {invite.note !== "" && <p class="field-hint">{invite.note}</p>}
          </>
        ),
      },
      {
        key: "state",
        label: text("admin.column.state"),
        cell: ({ state }) => <Badge kind={badges[state]}>{text(`auth.invites.state.${state}`)}</Badge>,
      },
      {
        key: "uses",
        label: text("auth.invites.used"),
        number: true,
        cell: ({ usedCount, maxUses }) => `${usedCount} / ${maxUses}`,
      },
      {
        key: "until",
        label: text("auth.invites.until"),
        cell: ({ expiresAt }) => (expiresAt === undefined ? "–" : <Moment at={expiresAt} />),
      },
      { key: "made", label: text("auth.invites.madeAt"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
    ],
  },
};

/** The section. */
export function InvitesPage(): JSX.Element {
  return <ResourceList of={invites} />;
}
