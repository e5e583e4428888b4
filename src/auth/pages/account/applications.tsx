/** @jsxImportSource hono/jsx */
/** The applications that a person may open, and those that used the account, since when; each can be signed out. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { Store } from "../../../store/store.ts";
import { assertOwner } from "../../sessions/subject.ts";
import type { Clients } from "../../applications/clients.ts";
import { readApplicationNames } from "../../applications/names.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import { clientIdSchema } from "../../base/ledger-schema.ts";
import type { UsedApplication, UsedApplications } from "../../sessions/used-applications.ts";
import type { Consents } from "../../oidc/consents.ts";
import type { ConsentRecord } from "../../oidc/schema.ts";
import { toScopeWords } from "../oidc/consent.tsx";
import { Done } from "../done.tsx";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import { PAGES_CLIENT } from "../person-search.ts";
import type { SignedInVisit } from "../visit.tsx";
import { toApplicationName } from "./sessions.tsx";

interface Parts {
  readonly store: Store;
  readonly applications: UsedApplications;
  readonly consents: Consents;
  readonly clients: Clients;
}

interface AllowedProps {
  readonly visit: SignedInVisit;
  readonly allowed: readonly ConsentRecord[];
  readonly nameOf: (clientId: string) => string;
}

/** The user's consents, which can be withdrawn here. */
function AllowedList({ visit: { t, formToken, time }, allowed, nameOf }: AllowedProps) {
  if (allowed.length === 0) return <></>;
  return (
    <section class="stack is-tight" aria-labelledby="allowed-title">
      <h2 id="allowed-title">{t("applications.allowedTitle")}</h2>
      <p class="small muted">{t("applications.allowedLead")}</p>
      <ul class="lines">
        {allowed.map(({ clientId, scopes, firstAt }) => (
          <li>
            <div class="stack is-tight">
              <span>{nameOf(clientId)}</span>
              <span class="small muted">
                {t("applications.allowedSince", { since: time(firstAt, "day") })}
              </span>
              <span class="small muted">{toScopeWords({ t, scopes }).join(" · ")}</span>
            </div>
            <Form
              action="/account/applications/withdraw"
              token={formToken}
              class="row"
              label={nameOf(clientId)}
            >
              <input type="hidden" name="clientId" value={clientId} />
              <button class="button" type="submit">
                {t("applications.revoke")}
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ListProps {
  readonly visit: SignedInVisit;
  readonly used: readonly UsedApplication[];
  readonly nameOf: (clientId: string) => string;
}

function ApplicationList({ visit, used, nameOf }: ListProps) {
  const { t, formToken, time } = visit;
  return (
    <section class="stack is-tight" aria-labelledby="used-title">
      <h2 id="used-title">{t("applications.usedTitle")}</h2>
      <ul class="lines">
        {used.map(({ clientId, firstAt, lastAt, sessions, isOffline }) => (
          <li>
            <div>
              {nameOf(clientId)}
              <br />
              <span class="small muted">
                {t("applications.facts", { since: time(firstAt, "day"), last: time(lastAt), sessions })}
              </span>
              {isOffline ? (
                <>
                  <br />
                  <span class="small muted">{t("applications.offline")}</span>
                </>
              ) : (
                <></>
              )}
            </div>
            <Form action="/account/applications/end" token={formToken} class="row" label={nameOf(clientId)}>
              <input type="hidden" name="clientId" value={clientId} />
              <button class="button" type="submit">
                {t(isOffline ? "applications.disconnect" : "applications.end")}
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LaunchProps {
  readonly visit: Pick<SignedInVisit, "t">;
  readonly clients: readonly ClientRecord[];
}

export function LaunchList({ visit: { t }, clients }: LaunchProps) {
  if (clients.length === 0) return <></>;
  return (
    <section class="stack is-tight" aria-labelledby="launch-title">
      <h2 id="launch-title">{t("applications.launchTitle")}</h2>
      <ul class="lines">
        {clients.map(({ name, launchUrl }) => (
          <li>
            <div>
              {name}
              <br />
              <span class="small muted">{new URL(launchUrl).host}</span>
            </div>
            <a class="button" href={launchUrl} aria-label={t("applications.launchName", { name })}>
              {t("applications.launch")}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function addApplicationsPage(pages: PageRoutes, parts: Parts): void {
  const { store, applications, consents, clients } = parts;
  pages.addPersonal({
    path: "/account/applications",
    show: async (visit, state) => {
      const { t, subject } = visit;
      const used = (await applications.list(subject.user.id)).filter(
        ({ clientId }) => clientId !== PAGES_CLIENT,
      );
      const allowed = await consents.list(subject.user.id);
      const names = await readApplicationNames(
        store,
        [...used, ...allowed].map(({ clientId }) => clientId),
      );
      const nameOf = (clientId: string): string =>
        toApplicationName(clientId, names) || t("applications.unknown");
      return visit.render({
        title: t("applications.title"),
        place: "/account/applications",
        status: state.status,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{t("applications.title")}</h1>
              <p class="muted">{t("applications.lead")}</p>
            </div>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Done visit={visit} />
            <LaunchList visit={visit} clients={await clients.listLaunchable(subject.user)} />
            <AllowedList visit={visit} allowed={allowed} nameOf={nameOf} />
            {used.length === 0 ? (
              <p class="muted">{t("applications.empty")}</p>
            ) : (
              <ApplicationList visit={visit} used={used} nameOf={nameOf} />
            )}
          </>
        ),
      });
    },
    actions: {
      "/withdraw": {
        submit: async ({ subject, caller, c }, form) => {
          const { clientId } = parseForm(z.object({ clientId: clientIdSchema }), form);
          await consents.withdraw(subject, clientId, caller);
          return c.redirect("/account/applications?done=applicationWithdrawn", 303);
        },
      },
      "/end": {
        submit: async ({ subject, caller, c }, form) => {
          const { clientId } = parseForm(z.object({ clientId: clientIdSchema }), form);
          assertOwner(subject);
          if (clientId === PAGES_CLIENT) throw new AppError("not_found", "These pages are no application");
          try {
            await applications.end(subject.user.id, clientId, caller);
          } catch (error) {
            // Ended in another tab, or by the same form sent twice.
            if (!(error instanceof AppError) || error.code !== "not_found") throw error;
          }
          return c.redirect("/account/applications?done=applicationEnded", 303);
        },
      },
    },
  });
}
