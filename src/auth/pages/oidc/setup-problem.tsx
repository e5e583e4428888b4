/** @jsxImportSource hono/jsx */
/** Pages for requests of applications that aren't set up correctly: a visitor learns whom to tell, an administrator what is wrong. */
import type { Child } from "hono/jsx";
import { AppError } from "../../../kit/errors.ts";
import { wantsPage } from "../../../kit/http/routing.ts";
import { findReturnPath, toPagePath, withReturn } from "../../../html/return-path.ts";
import type { Administration } from "../../administrators/administrators.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import type { Visit } from "../visit.tsx";

export interface SetupProblem {
  readonly reason:
    | "unknown_client"
    | "redirect_uri"
    | "logout_uri"
    | "hint_invalid"
    | "hint_other"
    | "client_missing";
  readonly client?: ClientRecord | undefined;
  /** The invalid value that the application sent, if any. */
  readonly sent?: string | undefined;
  /** Error message for programs, in place of a page. */
  readonly message: string;
}

/** The registered values for the URL. */
function listRegistered({ reason, client }: SetupProblem): readonly string[] {
  if (reason === "redirect_uri") return client?.redirectUris ?? [];
  return reason === "logout_uri" ? (client?.postLogoutRedirectUris ?? []) : [];
}

function Reason({ visit: { t }, problem }: { readonly visit: Visit; readonly problem: SetupProblem }) {
  const { reason, client, sent = "" } = problem;
  const registered = listRegistered(problem);
  const isAddress = reason === "redirect_uri" || reason === "logout_uri";
  return (
    <section class="card stack" aria-labelledby="reason-title">
      <h2 id="reason-title">{t("setup.reasonTitle")}</h2>
      <p>{t(`setup.${reason}`, { id: sent })}</p>
      {isAddress ? (
        <dl class="facts is-long">
          <dt>{t("setup.sent")}</dt>
          <dd class="mono">{sent === "" ? t("setup.nothing") : sent}</dd>
          <dt>{t("setup.registered")}</dt>
          {registered.length === 0 ? <dd>{t("setup.nothing")}</dd> : <></>}
          {registered.map((address) => (
            <dd class="mono">{address}</dd>
          ))}
        </dl>
      ) : (
        <></>
      )}
      <a
        class="button wide"
        href={client === undefined ? "/admin/applications" : `/admin/applications/${client.id}`}
      >
        {t("setup.open")}
      </a>
    </section>
  );
}

/** The next step: the reason for administrators, and a way back to the account for others. */
function Onward({ visit }: { readonly visit: Visit }) {
  const { t, c, subject } = visit;
  if (subject !== undefined)
    return (
      <a class="button wide" href="/account">
        {t("setup.account")}
      </a>
    );
  const back = c.req.method === "GET" ? findReturnPath(toPagePath(c)) : undefined;
  return (
    <p class="small">
      <a href={withReturn("/sign-in", back)}>{t("setup.signIn")}</a>
    </p>
  );
}

/** Answers with the page; `children` say what else a person can do there. Throws `bad_request` for a program. */
export async function showSetupProblem(
  visit: Visit,
  problem: SetupProblem,
  {
    administration,
    title,
    lead,
    children,
  }: {
    readonly administration: Pick<Administration, "findRefusal">;
    readonly title?: string;
    readonly lead?: string;
    readonly children?: Child;
  },
): Promise<Response> {
  const { c, t, subject, render } = visit;
  if (!wantsPage(c)) throw new AppError("bad_request", problem.message);
  const isAdmin = subject !== undefined && (await administration.findRefusal(subject)) === undefined;
  const application = problem.client?.name;
  const heading =
    title ?? (application === undefined ? t("setup.titleUnknown") : t("setup.title", { application }));
  return render({
    title: heading,
    narrow: true,
    status: 400,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{heading}</h1>
          {lead === undefined ? <></> : <p class="muted">{lead}</p>}
          {isAdmin ? <></> : <p class="muted">{t("setup.text", { reference: c.get("requestId") })}</p>}
        </div>
        {children}
        {isAdmin ? <Reason visit={visit} problem={problem} /> : <Onward visit={visit} />}
      </>
    ),
  });
}

/** Says that a pushed request was used up, and leads back to the application. */
export function showExpired(visit: Visit, client: ClientRecord | undefined): Response {
  const { c, t, render } = visit;
  if (!wantsPage(c))
    throw new AppError(
      "bad_request",
      "The request_uri was used or has expired; begin again in the application",
    );
  const title = t("expired.title");
  const application = client?.name ?? "";
  const launchUrl = client?.launchUrl ?? "";
  return render({
    title,
    narrow: true,
    status: 400,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{title}</h1>
          <p class="muted">
            {application === "" ? t("expired.textUnknown") : t("expired.text", { application })}
          </p>
        </div>
        {launchUrl === "" ? (
          <></>
        ) : (
          <a class="button primary wide" href={launchUrl}>
            {t("applications.launchName", { name: application })}
          </a>
        )}
      </>
    ),
  });
}
