/** One account: what it is, where it is signed in, what happened to it, and what can be done about it. */
import type { JSX } from "preact";
import type { AdminEventView, AdminUserDetailsView } from "../../../auth/accounts/view-schema.ts";
import type { AdminSessionView } from "../../../auth/sessions/view-schema.ts";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { findText, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Note } from "../../ui/console/note.tsx";
import { PagedRows } from "../../ui/console/paged-rows.tsx";
import { Facts } from "../../ui/facts.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type Items, usePages } from "../../ui/console/paged.ts";
import { Ago, Crumbs, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { EditRecord } from "../../ui/resource/item-dialogs.tsx";
import { RolePanel } from "../roles/role-panel.tsx";
import { Panel } from "../../ui/panel.tsx";
import { UserActions } from "./user-actions.tsx";
import { mayChangeUsers, userPath } from "./user-data.ts";
import { UserEmails } from "./user-emails.tsx";
import { UserGroups } from "./user-groups.tsx";
import { UserLinks } from "./user-links.tsx";
import { UserPasskeys } from "./user-passkeys.tsx";
import { profileForm } from "./user-forms.tsx";
import { UserMarks } from "./user-marks.tsx";

function About({ user }: { user: AdminUserDetailsView }): JSX.Element {
  const { id, createdAt, lastLoginAt, secondFactor, passwordSet, points, locale, timeZone } = user;
  return (
    <Panel small title={text("auth.user.about")}>
      <Facts
        facts={[
          [text("auth.user.id"), <code class="break">{id}</code>],
          [text("admin.field.password"), text(passwordSet ? "auth.user.set" : "auth.user.unset")],
          [text("auth.users.filter.secondFactor"), text(secondFactor ? "auth.user.set" : "auth.user.unset")],
          [text("auth.points"), toNumber(points)],
          [text("auth.settings.language"), locale],
          [text("auth.settings.timeZone"), timeZone],
          [text("auth.users.created"), <Moment at={createdAt} />],
          [text("auth.users.filter.signedIn"), <Ago at={lastLoginAt} />],
        ]}
      />
    </Panel>
  );
}

interface PartProps {
  readonly user: AdminUserDetailsView;
  readonly onChange: () => Promise<void>;
}

function Profile({ user, onChange }: PartProps): JSX.Element | null {
  const { id, profile } = user;
  const [isEditing, setEditing] = useState(false);
  const task = useTask();
  if (profile === undefined) return null;
  const { displayName, bio, location, website, links, visibility, hasAvatar } = profile;
  const removePicture = (): void =>
    void task.run(async () => {
      await adminRequest(userPath(id, "/avatar"), { method: "DELETE" });
      showToast(text("auth.profile.picture.removed"));
      await onChange();
    });
  const edit = mayChangeUsers() && (
    <Button small icon="edit" onClick={() => setEditing(true)}>
      {text("auth.profile.edit")}
    </Button>
  );
  return (
    <Panel small title={text("auth.profile")} action={edit}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <Facts
        facts={[
          [text("auth.user.displayName"), displayName],
          [text("auth.profile.visibility"), text(`auth.profile.visibility.${visibility}`)],
          [text("auth.profile.bio"), bio || "–"],
          [text("auth.profile.location"), location || "–"],
          [text("auth.profile.website"), website || "–"],
          [text("auth.profile.links"), links.map(({ label, url }) => `${label}: ${url}`).join(", ") || "–"],
          [
            text("auth.profile.picture"),
            hasAvatar && mayChangeUsers() ? (
              <Button small disabled={task.busy} onClick={removePicture}>
                {text("auth.profile.picture.remove")}
              </Button>
            ) : (
              text(hasAvatar ? "auth.user.set" : "auth.user.unset")
            ),
          ],
        ]}
      />
      {isEditing && (
        <EditRecord
          title={text("auth.profile.edit")}
          path={userPath(id, "/profile")}
          form={profileForm}
          context={undefined}
          view={profile}
          onDone={onChange}
          onClose={() => setEditing(false)}
        />
      )}
    </Panel>
  );
}

/** Why the account cannot be used just now. */
function StateNote({ user }: { user: AdminUserDetailsView }): JSX.Element | null {
  const { status, suspendedUntil, suspendedReason, purgeAfter, signUpMessage } = user;
  if (status === "suspended")
    return (
      <Note kind="warn">
        {text("auth.user.suspended")} {suspendedReason ?? text("auth.user.noReason")}{" "}
        {suspendedUntil !== undefined && (
          <>
            {text("auth.users.until")}: <Moment at={suspendedUntil} />
          </>
        )}
      </Note>
    );
  if (status === "deleted" && purgeAfter !== undefined)
    return (
      <Note kind="warn">
        {text("auth.user.deleted")} <Moment at={purgeAfter} />
      </Note>
    );
  if (status === "pending") return <Note>{signUpMessage ?? text("auth.approvals.silent")}</Note>;
  return null;
}

function Sessions({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<Items<AdminSessionView>>(userPath(id, "/sessions"), 0);
  const task = useTask();
  const end = (sessionId: string): void =>
    void task.run(async () => {
      await adminRequest(userPath(id, `/sessions/${sessionId}`), { method: "DELETE" });
      showToast(text("auth.user.sessionEnded"));
      await refresh();
    });
  const endAll = (): void =>
    void task.run(async () => {
      await adminRequest(userPath(id, "/revoke-sessions"), { method: "POST" });
      showToast(text("auth.user.sessionsEnded"));
      await refresh();
    });
  const items = data?.items ?? [];
  return (
    <Panel small title={text("auth.ui.sessions")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {data && items.length === 0 && <p class="field-hint">{text("auth.user.noSessions")}</p>}
      <ul class="plain-list lines">
        {items.map(({ id: sessionId, label, clientId, ipPrefix, lastSeenAt, impersonatedBy }) => (
          <li key={sessionId}>
            <span>
              {label}{" "}
              <span class="field-hint">
                {[clientId, ipPrefix, impersonatedBy].filter(Boolean).join(" · ")} · <Ago at={lastSeenAt} />
              </span>
            </span>
            {mayChangeUsers() && (
              <Button small disabled={task.busy} onClick={() => end(sessionId)}>
                {text("auth.user.endSession")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {items.length > 1 && mayChangeUsers() && (
        <div class="button-row">
          <Button disabled={task.busy} onClick={endAll}>
            {text("auth.user.endSessions")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Events({ id }: { id: string }): JSX.Element {
  const pages = usePages<AdminEventView>(userPath(id, "/events?limit=20"));
  return (
    <Panel small title={text("auth.user.events")}>
      <PagedRows pages={pages} none="auth.user.noEvents">
        <ul class="plain-list lines">
          {pages.items.map(({ id: eventId, at, kind, clientId, ipPrefix, amr = [] }) => (
            <li key={eventId}>
              {findText(`event.${kind}`) ?? <code>{kind}</code>}
              <span class="field-hint">
                {[clientId, amr.join(" + "), ipPrefix].filter(Boolean).join(" · ")} · <Moment at={at} />
              </span>
            </li>
          ))}
        </ul>
      </PagedRows>
    </Panel>
  );
}

function Applications({ user }: { user: AdminUserDetailsView }): JSX.Element {
  return (
    <Panel small title={text("auth.nav.applications")}>
      {user.applications.length === 0 && <p class="field-hint">{text("auth.user.noApplications")}</p>}
      <ul class="plain-list lines">
        {user.applications.map(({ clientId, lastAt }) => (
          <li key={clientId}>
            {clientId}
            <span class="field-hint">
              <Ago at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Content({ user, onChange }: PartProps): JSX.Element {
  const [turn, setTurn] = useState(0);
  const part = {
    user,
    onChange: async () => {
      await onChange();
      setTurn(turn + 1);
    },
  };
  return (
    <>
      <PageHead title={user.username}>
        <UserMarks user={user} />
      </PageHead>
      <StateNote user={user} />
      {mayChangeUsers() && <UserActions {...part} />}
      <div class="admin-columns">
        <div class="stack">
          <About user={user} />
          <UserEmails {...part} />
          <UserLinks {...part} />
          <UserPasskeys id={user.id} />
          {/* The action changed both. */}
          <Sessions id={user.id} key={`sessions ${turn}`} />
        </div>
        <div class="stack">
          <Profile {...part} />
          <UserGroups {...part} />
          <RolePanel
            roles={user.roles}
            path={userPath(user.id, "/roles")}
            isForPeople
            onChange={part.onChange}
          />
          <Events id={user.id} key={`events ${turn}`} />
          <Applications user={user} />
        </div>
      </div>
    </>
  );
}

/** The page. */
export function UserPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<AdminUserDetailsView>(userPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/users" label="auth.nav.users" />
      <Loaded of={loaded}>{(data) => <Content user={data} onChange={loaded.refresh} />}</Loaded>
    </>
  );
}
