/** @jsxImportSource hono/jsx */
/** The first page of an account: what is unsafe, where it is signed in, what happened, and today's check-in. */
import type { Store } from "../../../store/store.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { Clients } from "../../applications/clients.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import { readApplicationNames } from "../../applications/names.ts";
import type { Me } from "../../me/me.ts";
import { listEvents } from "../../accounts/events.ts";
import type { CheckIns, CheckInStatus } from "../../check-in/check-in.ts";
import type { EventRecord } from "../../accounts/ledger-schema.ts";
import { hasSecondFactor } from "../../accounts/status.ts";
import type { SessionRecord } from "../../sessions/schema.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { Done } from "../done.tsx";
import type { PageRoutes } from "../page.ts";
import type { TextKey } from "../texts.ts";
import type { SignedInVisit } from "../visit.tsx";
import { Event } from "./activity.tsx";
import { LaunchList } from "./applications.tsx";
import { CheckInButton } from "./check-in.tsx";
import { SessionLine } from "./sessions.tsx";

const SHOWN = 4;
const LOOKED_AT = 30;
const SHOWN_AT_MOST = 10;
/** Events that an owner should recognize. */
const alarming: ReadonlySet<string> = new Set([
  "sign-in",
  "sign-in-failed",
  "refresh-reused",
  "recovery-code-used",
  "password-reset",
  "second-factor-removed",
  "impersonated",
]);
/** With fewer recovery codes the person should make new ones. */
const FEW_CODES = 3;

interface Parts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly checkIns: CheckIns;
  readonly me: Me;
  readonly clients: Pick<Clients, "listLaunchable">;
}

interface Danger {
  readonly title: TextKey;
  readonly text: TextKey;
  readonly button: TextKey;
  readonly path: string;
}

/** Problems that the owner should fix, the worst first. */
function listDangers({ subject }: SignedInVisit): Danger[] {
  const { user } = subject;
  const dangers: Danger[] = [];
  if (user.passwordHash === undefined)
    dangers.push({
      title: "danger.password",
      text: "danger.passwordText",
      button: "danger.passwordButton",
      path: "/account/security",
    });
  if (user.emailVerifiedAt === undefined)
    dangers.push({
      title: "danger.email",
      text: "danger.emailText",
      button: "danger.emailButton",
      path: "/account/emails",
    });
  if (!hasSecondFactor(user))
    dangers.push({
      title: "danger.factor",
      text: "danger.factorText",
      button: "danger.factorButton",
      path: "/account/security",
    });
  else if (user.mfa.recovery.length < FEW_CODES)
    dangers.push({
      title: "danger.codes",
      text: "danger.codesText",
      button: "danger.codesButton",
      path: "/account/security",
    });
  return dangers;
}

/** Terms that changed since the person accepted them. */
function NewTerms({ visit }: { readonly visit: SignedInVisit }) {
  const { t, settings, subject, formToken } = visit;
  const { termsVersion, termsUrl } = settings;
  if (termsVersion === "" || termsVersion === subject.user.termsVersion) return <></>;
  return (
    <div class="note has-action">
      <p>
        <strong>{t("terms.changed")}</strong>{" "}
        {termsUrl === "" ? <></> : <a href={termsUrl}>{t("terms.read")}</a>}
      </p>
      <Form action="/account/accept-terms" token={formToken} class="row">
        <button class="button" type="submit">
          {t("terms.accept")}
        </button>
      </Form>
    </div>
  );
}

/** Events since the sign-in before this one, except by this one; the newest first. */
function listNews(events: readonly EventRecord[], sessionId: string): readonly EventRecord[] {
  const own = events.findIndex((event) => event.kind === "sign-in" && event.sessionId === sessionId);
  if (own === -1) return [];
  const before = events.findIndex(({ kind }, index) => index > own && kind === "sign-in");
  return events
    .slice(0, before === -1 ? undefined : before)
    .filter((event) => alarming.has(event.kind) && event.sessionId !== sessionId);
}

interface OverviewProps {
  readonly visit: SignedInVisit;
  readonly live: readonly SessionRecord[];
  readonly events: readonly EventRecord[];
  readonly checkIn: CheckInStatus;
  readonly names: ReadonlyMap<string, string>;
  readonly clients: readonly ClientRecord[];
}

function Overview({ visit, live, events, checkIn, names, clients }: OverviewProps) {
  const { t, subject } = visit;
  const news = listNews(events, subject.session.id);
  const last = news.at(-1);
  const shown = Math.max(SHOWN, last === undefined ? 0 : events.indexOf(last) + 1);
  return (
    <>
      <div class="row">
        <div class="stack is-tight">
          <h1>{t("overview.title", { name: subject.displayName })}</h1>
          {checkIn.enabled ? (
            <p class="muted">
              {t(checkIn.streak === 0 ? "overview.noStreak" : "overview.streak", {
                days: checkIn.streak,
                points: checkIn.points,
              })}
            </p>
          ) : (
            <></>
          )}
        </div>
        {checkIn.enabled && !checkIn.checkedInToday ? <CheckInButton visit={visit} from="/account" /> : <></>}
      </div>
      <Done visit={visit} />
      <NewTerms visit={visit} />
      {listDangers(visit).map(({ title, text, button, path }) => (
        <div class="note has-action">
          <p>
            <strong>{t(title)}</strong> {t(text)}
          </p>
          <a class="button" href={path}>
            {t(button)}
          </a>
        </div>
      ))}
      <LaunchList visit={visit} clients={clients} />
      <div class="cards">
        <section class="card stack">
          <div class="row">
            <h2>{t("sessions.title")}</h2>
            <a class="push small" href="/account/sessions">
              {t("overview.allSessions")}
            </a>
          </div>
          <ul class="lines">
            {live.slice(0, SHOWN).map((session) => (
              <SessionLine visit={visit} session={session} names={names} from="/account" />
            ))}
          </ul>
        </section>
        <section class="card stack">
          <div class="row">
            <h2>{t("activity.title")}</h2>
            <a class="push small" href="/account/activity">
              {t("overview.allActivity")}
            </a>
          </div>
          <ul class="timeline">
            {events.slice(0, Math.min(shown, SHOWN_AT_MOST)).map((event) => (
              <Event visit={visit} event={event} names={names} isNew={news.includes(event)} />
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

export function addOverviewPage(pages: PageRoutes, parts: Parts): void {
  const { store, sessions, checkIns, me, clients } = parts;
  pages.addPersonal({
    path: "/account",
    show: async (visit, state) => {
      const { id: userId } = visit.subject.user;
      const [live, { items: events }, checkIn, launchable] = await Promise.all([
        sessions.list(userId),
        listEvents(store, { userId, limit: LOOKED_AT }),
        checkIns.status(userId),
        clients.listLaunchable(visit.subject.user),
      ]);
      const names = await readApplicationNames(
        store,
        [...live, ...events].map(({ clientId }) => clientId),
      );
      const own = visit.subject.session.id;
      const ordered = [...live.filter(({ id }) => id === own), ...live.filter(({ id }) => id !== own)];
      return visit.render({
        title: visit.t("nav.overview"),
        place: "/account",
        status: state.status,
        body: (
          <>
            <FormFaults title={visit.t("form.faults")} faults={state.faults} />
            <Overview
              visit={visit}
              live={ordered}
              events={events}
              checkIn={checkIn}
              names={names}
              clients={launchable}
            />
          </>
        ),
      });
    },
    actions: {
      "/accept-terms": {
        submit: async ({ subject, settings, c }) => {
          await me.change(subject, {
            change: { termsVersion: settings.termsVersion },
            version: undefined,
          });
          return c.redirect("/account?done=termsAccepted", 303);
        },
      },
    },
  });
}
