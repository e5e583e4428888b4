/** @jsxImportSource hono/jsx */
/** Where an account is signed in; each device can be signed out. */
import { z } from "zod";
import { Form, FormFaults } from "../../../html/form.tsx";
import { findReturnPath } from "../../../html/return-path.ts";
import type { Store } from "../../../store/store.ts";
import { readApplicationNames } from "../../applications/names.ts";
import { assertOwner } from "../../sessions/subject.ts";
import type { SessionRecord } from "../../sessions/schema.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { nameDevice } from "../device-name.ts";
import { Done } from "../done.tsx";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import { PAGES_CLIENT } from "../person-search.ts";
import type { SignedInVisit } from "../visit.tsx";

interface Parts {
  readonly store: Store;
  readonly sessions: Sessions;
}

interface LineProps {
  readonly visit: SignedInVisit;
  readonly session: SessionRecord;
  /** Of applications, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The page that shows the line. */
  readonly from: string;
}

/** An application as people know it; "" for these pages, and for one that did not tell its name. */
export function toApplicationName(clientId: string, names: ReadonlyMap<string, string>): string {
  return [PAGES_CLIENT, "unknown", "invalid"].includes(clientId) ? "" : (names.get(clientId) ?? clientId);
}

/** A session with its device, place and last use; this one is marked, the others can be ended. */
export function SessionLine({ visit, session, names, from }: LineProps) {
  const { t, time, subject, formToken } = visit;
  const { id, ipPrefix, lastSeenAt, clientId, impersonatedBy } = session;
  const label = impersonatedBy === undefined ? nameDevice(visit, session.label) : t("sessions.administrator");
  const facts = [toApplicationName(clientId, names), ipPrefix, time(lastSeenAt)];
  return (
    <li>
      <div>
        {label}
        <br />
        <span class="small muted">{facts.filter((fact) => fact !== "").join(" · ")}</span>
      </div>
      {id === subject.session.id ? (
        <span class="tag is-good">{t("sessions.this")}</span>
      ) : (
        <Form action="/account/sessions/end" token={formToken} class="row" label={label}>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="rd" value={from} />
          <button class="button" type="submit">
            {t("sessions.end")}
          </button>
        </Form>
      )}
    </li>
  );
}

async function endSession(
  { subject, caller, c }: SignedInVisit,
  form: SentForm,
  sessions: Sessions,
): Promise<Response> {
  const { id } = parseForm(z.object({ id: z.string().min(1).max(100) }), form);
  assertOwner(subject);
  // One that has ended in the meantime is what the person wanted.
  await sessions.end(subject.user.id, {
    select: (session) => session.id === id && id !== subject.session.id,
    event: { kind: "session-revoked", caller },
  });
  const from = findReturnPath(form.values["rd"]) ?? "/account/sessions";
  return c.redirect(`${from}?done=sessionEnded`, 303);
}

export function addSessionsPage(pages: PageRoutes, { store, sessions }: Parts): void {
  pages.addPersonal({
    path: "/account/sessions",
    show: async (visit, state) => {
      const { t, subject, formToken } = visit;
      const live = await sessions.list(subject.user.id);
      const names = await readApplicationNames(
        store,
        live.map(({ clientId }) => clientId),
      );
      return visit.render({
        title: t("sessions.title"),
        place: "/account/sessions",
        status: state.status,
        body: (
          <>
            <div class="row">
              <div class="stack is-tight">
                <h1>{t("sessions.title")}</h1>
                <p class="muted">{t("sessions.lead")}</p>
              </div>
              {live.length < 2 ? (
                <></>
              ) : (
                <Form action="/account/sessions/end-others" token={formToken} class="push">
                  <button class="button danger" type="submit">
                    {t("sessions.endOthers")}
                  </button>
                </Form>
              )}
            </div>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Done visit={visit} />
            <ul class="lines">
              {live.map((session) => (
                <SessionLine visit={visit} session={session} names={names} from="/account/sessions" />
              ))}
            </ul>
          </>
        ),
      });
    },
    actions: {
      "/end": { submit: (visit, form) => endSession(visit, form, sessions) },
      "/end-others": {
        submit: async ({ subject, caller, c }) => {
          assertOwner(subject);
          await sessions.end(subject.user.id, {
            select: ({ id }) => id !== subject.session.id,
            event: { kind: "sessions-revoked", caller },
          });
          return c.redirect("/account/sessions?done=sessionsEnded", 303);
        },
      },
    },
  });
}
