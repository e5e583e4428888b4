/** @jsxImportSource hono/jsx */
/** Where applications send browsers to sign out (OpenID Connect RP-Initiated Logout 1.0 sections 2 and 3). */
import { withQuery } from "../../../kit/text/with-query.ts";
import { Form } from "../../../html/form.tsx";
import type { Administration } from "../../administrators/administrators.ts";
import type { Clients } from "../../applications/clients.ts";
import type { Refusals } from "../../refusals/refusals.ts";
import type { Caller } from "../../base/caller.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import type { Jwts } from "../../sessions/jwt.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { leave } from "../forward/enter.tsx";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { type SetupProblem, showSetupProblem } from "./setup-problem.tsx";

const PATH = "/oauth/logout";
const fieldNames = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;
type Fields = Partial<Record<(typeof fieldNames)[number], string>>;

interface Parts {
  readonly clients: Clients;
  readonly refusals: Pick<Refusals, "note">;
  readonly jwts: Jwts;
  readonly browserSignIn: BrowserSignIn;
  readonly administration: Pick<Administration, "findRefusal">;
  readonly issuer: string;
}

interface Asked {
  readonly fields: Fields;
  /** Of the ID token that the application showed. */
  readonly hint: { readonly sub: unknown; readonly sid: unknown } | undefined;
  /** Where the application wants the browser afterwards, as registered. */
  readonly onward: { readonly client: ClientRecord; readonly url: string } | undefined;
}

/** The request, or its error: a token of another application, or an unregistered URL. */
async function readAsked(
  sent: Readonly<Record<string, string>>,
  parts: Parts,
  caller: Caller,
): Promise<Asked | SetupProblem> {
  const fields: Fields = Object.fromEntries(
    fieldNames.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  );
  const { id_token_hint: token, client_id: named, post_logout_redirect_uri: uri, state } = fields;
  const hint =
    token === undefined ? undefined : await parts.jwts.read(token, { issuer: parts.issuer, typ: "JWT" });
  const find = async (id: string | undefined) => (id === undefined ? undefined : parts.clients.find(id));
  if (token !== undefined && hint === undefined) {
    const message = "The id_token_hint is not a token of this center";
    return { reason: "hint_invalid", client: await find(named), message };
  }
  if (named !== undefined && hint !== undefined && hint.aud !== named) {
    const message = "The id_token_hint belongs to another application than client_id";
    return { reason: "hint_other", client: await find(named), message };
  }
  const seen = hint && { sub: hint.sub, sid: hint["sid"] };
  if (uri === undefined) return { fields, hint: seen, onward: undefined };
  const id = named ?? (typeof hint?.aud === "string" ? hint.aud : "");
  const client = await find(id);
  if (client === undefined) {
    const message = "Name the application: send id_token_hint or client_id";
    return { reason: id === "" ? "client_missing" : "unknown_client", sent: id, message };
  }
  if (!client.postLogoutRedirectUris.includes(uri)) {
    parts.refusals.note(id, { reason: "logout_uri", sent: uri }, caller);
    const message = `The application "${id}" has not registered this post_logout_redirect_uri; an administrator adds it there, exactly as it is sent`;
    return { reason: "logout_uri", client, sent: uri, message };
  }
  const url = withQuery(uri, state === undefined ? {} : { state });
  return { fields, hint: seen, onward: { client, url } };
}

/** Leads back to the application, or says that it is done. */
function finish(visit: Visit, { onward }: Asked): Response | Promise<Response> {
  return onward === undefined
    ? visit.c.redirect("/signed-out", 303)
    : leave(visit, onward.client, onward.url);
}

/** Explains the problem of the application's request, and offers signed-in users to sign out anyway. */
function showProblem(visit: Visit, problem: SetupProblem, parts: Parts): Promise<Response> {
  const { t, subject, formToken } = visit;
  const application = problem.client?.name ?? t("signOutProblem.someone");
  return showSetupProblem(visit, problem, {
    administration: parts.administration,
    title: t(subject === undefined ? "signedOut.title" : "forward.signOutTitle"),
    lead: t("signOutProblem.lead", { application }),
    children:
      subject === undefined ? undefined : (
        <Form action={`${PATH}/confirm`} token={formToken}>
          <button class="button primary wide" type="submit">
            {t("frame.signOut")}
          </button>
        </Form>
      ),
  });
}

export function addLogoutPage(pages: PageRoutes, parts: Parts): void {
  const { browserSignIn } = parts;
  pages.addPublic({
    path: PATH,
    show: async (visit) => {
      const asked = await readAsked(visit.c.req.query(), parts, visit.caller);
      if ("reason" in asked) return showProblem(visit, asked, parts);
      const { subject, t, formToken } = visit;
      if (subject === undefined) return finish(visit, asked);
      const { hint, fields } = asked;
      // Any website can lead a browser here: without an ID token of this sign-in, the person has to confirm.
      if (hint?.sub === subject.user.id && hint.sid === subject.session.id) {
        await browserSignIn.end(visit);
        return finish(visit, asked);
      }
      return visit.render({
        title: t("forward.signOutTitle"),
        narrow: true,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{t("forward.signOutTitle")}</h1>
              <p class="muted">{t("forward.signOut", { username: subject.user.username })}</p>
            </div>
            <Form action={`${PATH}/confirm`} token={formToken}>
              {Object.entries(fields).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <button class="button primary wide" type="submit">
                {t("frame.signOut")}
              </button>
            </Form>
          </>
        ),
      });
    },
    actions: {
      "/confirm": {
        submit: async (visit, { values }) => {
          const asked = await readAsked(values, parts, visit.caller);
          if ("reason" in asked) return showProblem(visit, asked, parts);
          await browserSignIn.end(visit);
          return finish(visit, asked);
        },
      },
    },
  });
}
