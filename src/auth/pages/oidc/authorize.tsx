/** @jsxImportSource hono/jsx */
/** Where applications send browsers (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2): back with a code, after the sign-in if there was none. */
import { toAppError } from "../../../kit/http/problem.ts";
import { findAcceptedLanguage } from "../../../kit/text/accepted-languages.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { FormState } from "../../../html/faults.ts";
import { MAX_LENGTH, findReturnPath, withReturn } from "../../../html/return-path.ts";
import { toEmailKey } from "../../accounts/accounts.ts";
import type { Emails } from "../../emails/emails.ts";
import { type MissingStep, type OwnStep, findMissingStep, isOwnStep } from "../../applications/may-use.ts";
import { type Prompt, type SentParameters, readParameters } from "../../oidc/authorization-request.ts";
import { type Consents, toConsentId } from "../../oidc/consents.ts";
import { isOfClass, toAcr, toNeeded } from "../../policy/assurance.ts";
import { isOnMachine } from "../../oidc/redirect-uris.ts";
import type { Resources, ShownResource } from "../../resources/resources.ts";
import { findUnknownScopes } from "../../oidc/scopes.ts";
import type { ApplicationCodes } from "../../oidc/application-codes.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { Done } from "../done.tsx";
import { CONFIRM_PATH, ENROLMENT_PATH, type StepUp } from "../step-up.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import type { SentForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import { toRefusal } from "../refusal.tsx";
import { type SignedInVisit, type Visit, createLanguageCookie } from "../visit.tsx";
import {
  AUTHORIZE_PATH,
  type Asked,
  type AskedDeps,
  readAsked,
  readLoginHint,
  toAuthorizePath,
} from "./asked.ts";
import { AnotherAccount, Question } from "./consent.tsx";

interface Parts extends AskedDeps {
  readonly emails: Pick<Emails, "list">;
  readonly consents: Consents;
  readonly resources: Pick<Resources, "describe">;
  readonly applicationCodes: ApplicationCodes;
  readonly browserSignIn: BrowserSignIn;
  readonly stepUp: StepUp;
  readonly publicUrl: string | undefined;
  readonly expiry: Clock;
}

/** As long as a sign-in takes. */
const LANGUAGE_SECONDS = 600;

type State = FormState & { readonly status: FormStatus };

function readQuery({ c }: Visit): SentParameters {
  return readParameters(new URL(c.req.url).searchParams);
}

function readFields({ values }: Pick<SentForm, "values">): SentParameters {
  return readParameters(Object.entries(values));
}

function showDenied(visit: SignedInVisit, { client, carried }: Asked, reason: MissingStep): Response {
  const { subject, formToken } = visit;
  const fields = Object.fromEntries(carried);
  const form = { action: `${AUTHORIZE_PATH}/another`, token: formToken, fields };
  return visit.render(toRefusal(visit, { client, username: subject.user.username, form, reason }));
}

/** Leads to a page from which the person comes back to the request; what is too long to come back is refused before. */
function createDetour({ refusals }: Pick<Parts, "refusals">) {
  return (
    { c, caller }: Visit,
    page: string,
    { client, carried, answer, done }: Asked & { readonly done: readonly Prompt[] },
  ): Response | Promise<Response> => {
    const back = toAuthorizePath(carried, done);
    if (findReturnPath(back) !== undefined) return c.redirect(withReturn(page, back), 303);
    const description = `The request is longer than ${MAX_LENGTH} characters, and would not outlive a sign-in`;
    refusals.note(client.id, { reason: "request", sent: description }, caller);
    return answer({ error: "invalid_request", error_description: description });
  };
}

/** Asks which account to use, if the application requires that or expects another one. */
function showChoice(visit: SignedInVisit, { client, parameters, carried, expectedId }: Asked): Response {
  const { t, subject } = visit;
  const { username, id } = subject.user;
  const isOther = expectedId !== undefined && expectedId !== id;
  const hint = readLoginHint(parameters);
  const lead = isOther ? "authorize.expected" : hint === "" ? "authorize.lead" : "authorize.hinted";
  const values = { application: client.name, username, hint };
  const title = t("authorize.title", values);
  return visit.render({
    title,
    narrow: true,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{title}</h1>
          <p class="muted">{t(lead, values)}</p>
        </div>
        <Done visit={visit} />
        {isOther ? (
          <></>
        ) : (
          <a class="button primary wide" href={toAuthorizePath(carried, ["select_account"])}>
            {t("authorize.continueAs", values)}
          </a>
        )}
        <AnotherAccount visit={visit} path={AUTHORIZE_PATH} fields={Object.fromEntries(carried)} />
      </>
    ),
  });
}

function showQuestion(
  visit: SignedInVisit,
  state: State,
  { resources, ...asked }: Asked & { readonly resources: readonly ShownResource[] },
): Response {
  const { client, redirectUri, carried, request } = asked;
  const { t } = visit;
  const onward = isOnMachine(redirectUri)
    ? t("consent.onMachine", { application: client.name })
    : t("consent.onward", { host: new URL(redirectUri).host });
  return visit.render({
    title: t("consent.title", { application: client.name }),
    narrow: true,
    status: state.status,
    body: (
      <Question
        visit={visit}
        state={state}
        client={client}
        scopes={request.target.scopes}
        resources={resources}
        path={AUTHORIZE_PATH}
        fields={Object.fromEntries(carried)}
      >
        <p class="small muted">{onward}</p>
      </Question>
    ),
  });
}

/** Creates what gives the application its code. */
function createGive({ applicationCodes, refusals }: Parts) {
  return async (visit: SignedInVisit, asked: Asked, consentId?: string): Promise<Response> => {
    const { client, redirectUri, request, parameters, answer } = asked;
    const { challengeHash, target, nonce } = request;
    const acr = request.acr.length === 0 ? undefined : toAcr(visit.subject.session, request.acr);
    const unknown = findUnknownScopes(parameters.get("scope") ?? "", target.scopes);
    if (unknown.length > 0)
      refusals.note(client.id, { reason: "scope_unknown", sent: unknown.join(" ") }, visit.caller);
    const binding = challengeHash === undefined ? undefined : { hash: challengeHash };
    const place = { clientId: client.id, redirectUri, binding };
    const given = { scope: target.scopes.join(" "), audience: target.audience, nonce, consentId, acr };
    try {
      return await answer({ code: await applicationCodes.issue(visit.subject, place, given) });
    } catch (error) {
      if (toAppError(error).code !== "store_unavailable") throw error;
      return answer({ error: "temporarily_unavailable", error_description: "Nothing can be stored now" });
    }
  };
}

/** Whether the account is the one that `login_hint` names: by its username, its id, or a verified address of it. */
async function isHinted(
  { id, usernameLower }: SignedInVisit["subject"]["user"],
  hint: string,
  emails: Parts["emails"],
): Promise<boolean> {
  if (hint === "" || hint === id || hint.toLowerCase() === usernameLower) return true;
  const key = toEmailKey(hint);
  return (await emails.list(id)).some(({ address, verified }) => verified && toEmailKey(address) === key);
}

/** The error for an application that the person may not use, or not from here. */
function refuseSilently(
  { client, answer }: Asked,
  missing: "group" | "network",
): Response | Promise<Response> {
  if (!client.enabled)
    return answer({ error: "unauthorized_client", error_description: "The application is disabled" });
  const why = missing === "group" ? "" : " from this network";
  const description = `The account may not use this application${why}`;
  return answer({ error: "access_denied", error_description: description });
}

/** Checks whether the person may use the application, and which authentication it requires first. */
function createProofGate(parts: Parts) {
  const { expiry, stepUp } = parts;
  const detour = createDetour(parts);
  return async (
    visit: SignedInVisit,
    asked: Asked,
    missing: OwnStep | undefined,
  ): Promise<Response | undefined> => {
    const { subject } = visit;
    const { prompts, maxAgeMs, acr, isAcrEssential } = asked.request;
    const isLate = maxAgeMs !== undefined && expiry.now() - subject.session.authenticatedAt > maxAgeMs;
    const isProofDue = prompts.includes("login") || isLate || missing === "fresh sign-in";
    if (prompts.includes("none")) {
      if (isProofDue) return asked.answer({ error: "login_required" });
      if (missing === undefined) return undefined;
      const description = `The sign-in must be ${missing}, which the person has to prove`;
      return asked.answer({ error: "interaction_required", error_description: description });
    }
    if (isProofDue || missing !== undefined) {
      const need = missing === "fresh sign-in" ? undefined : missing;
      const page = await stepUp.findPage(subject, { need, isProofDue });
      if (page === undefined) return showDenied(visit, asked, need ?? "fresh sign-in");
      const isProved = isProofDue && page.startsWith(CONFIRM_PATH);
      return detour(visit, page, { ...asked, done: isProved ? ["login"] : [] });
    }
    // Of the classes that need the same proof, one may need another kind of key than the person has.
    if (!isAcrEssential || acr.some((one) => isOfClass(subject.session, one))) return undefined;
    const description = `The person cannot sign in with ${acr.join(" or ")}`;
    return asked.answer({ error: "unmet_authentication_requirements", error_description: description });
  };
}

/** Creates the checks before a code is issued; undefined if there are none. */
function createGate(parts: Parts) {
  const { expiry, refusals, emails } = parts;
  const checkProof = createProofGate(parts);
  return async (visit: SignedInVisit, asked: Asked): Promise<Response | undefined> => {
    const { subject, c, caller } = visit;
    const { client, request, answer, expectedId, parameters } = asked;
    const { prompts } = request;
    const isSilent = prompts.includes("none");
    const missing = findMissingStep(client, {
      user: subject.user,
      session: subject.session,
      rules: subject.rules ?? {},
      address: caller.clientAddress,
      nowMs: expiry.now(),
      asked: toNeeded(request.acr),
    });
    if (missing !== undefined && !isOwnStep(missing)) {
      const reason = client.enabled ? (missing === "group" ? missing : "policy") : "switched_off";
      const sent = reason === "policy" ? { sent: missing } : {};
      refusals.note(client.id, { reason, ...sent, userId: subject.user.id }, caller);
      return isSilent ? refuseSilently(asked, missing) : showDenied(visit, asked, missing);
    }
    const isOther = expectedId !== undefined && expectedId !== subject.user.id;
    if (isSilent && isOther) return answer({ error: "login_required" });
    if (isOther) return showChoice(visit, asked);
    // A hint is no demand: without a person to ask, the application gets who is signed in.
    if (!isSilent && !(await isHinted(subject.user, readLoginHint(parameters), emails)))
      return showChoice(visit, asked);
    const unproved = await checkProof(visit, asked, missing);
    if (unproved !== undefined) return unproved;
    // Another account is signed in now than when the person answered.
    const isChanged = c.req.method === "GET" && c.req.query("done") === "otherAccount";
    return isChanged || prompts.includes("select_account") ? showChoice(visit, asked) : undefined;
  };
}

export function addAuthorizePage(pages: PageRoutes, parts: Parts): void {
  const { browserSignIn, consents, publicUrl, resources } = parts;
  const language = createLanguageCookie(publicUrl);
  const give = createGive(parts);
  const check = createGate(parts);
  const detour = createDetour(parts);

  async function show(visit: SignedInVisit, state: State): Promise<Response> {
    const sent = state.action === undefined ? readQuery(visit) : readFields(state);
    const asked = await readAsked(visit, sent, parts);
    if (asked instanceof Response) return asked;
    const stopped = await check(visit, asked);
    if (stopped !== undefined) return stopped;
    const { client, redirectUri, request, answer } = asked;
    const question = { client, redirectUri, ...request.target };
    const isWanted = request.prompts.includes("consent");
    const { isDue, consentId } = await consents.look(visit.subject, question);
    if (!isDue && !isWanted) return give(visit, asked, consentId);
    if (request.prompts.includes("none")) return answer({ error: "consent_required" });
    const described = await resources.describe(request.target.audience);
    return showQuestion(visit, state, { ...asked, resources: described });
  }

  pages.addPersonal({
    path: AUTHORIZE_PATH,
    toAddress: (values) => toAuthorizePath(readFields({ values }).parameters),
    show,
    // Errors of the request are shown before the sign-in.
    showSignedOut: async (visit) => {
      const asked = await readAsked(visit, readQuery(visit), parts);
      if (asked instanceof Response) return asked;
      const isEnrolling = visit.enrolling !== undefined;
      if (asked.request.prompts.includes("none"))
        return asked.answer({ error: isEnrolling ? "interaction_required" : "login_required" });
      if (isEnrolling) return detour(visit, ENROLMENT_PATH, { ...asked, done: [] });
      const named = findAcceptedLanguage(asked.parameters.get("ui_locales")?.replaceAll(" ", ","));
      // The user's choice takes precedence over the application's.
      if (named !== undefined && language.read(visit.c) === undefined)
        language.write(visit.c, named, LANGUAGE_SECONDS);
      return detour(visit, "/sign-in", { ...asked, done: ["login", "select_account"] });
    },
    actions: {
      "/answer": {
        submit: async (visit, form) => {
          const asked = await readAsked(visit, readFields(form), parts);
          if (asked instanceof Response) return asked;
          const stopped = await check(visit, asked);
          if (stopped !== undefined) return stopped;
          const { client, request, answer } = asked;
          if (form.values["answer"] !== "allow") return answer({ error: "access_denied" });
          const { subject, caller } = visit;
          await consents.allow(subject, { client, ...request.target, caller });
          return give(visit, asked, toConsentId(subject.user.id, client.id));
        },
      },
      "/another": {
        submit: async (visit, form) => {
          const asked = await readAsked(visit, readFields(form), parts);
          if (asked instanceof Response) return asked;
          await browserSignIn.end(visit);
          return detour(visit, "/sign-in", { ...asked, done: ["login", "select_account"] });
        },
      },
    },
  });
}
