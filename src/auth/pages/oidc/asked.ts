/** An authorization request at /oauth/authorize, validated before authentication. */
import { withQuery } from "../../../kit/text/with-query.ts";
import type { Administration } from "../../administrators/administrators.ts";
import type { Clients } from "../../applications/clients.ts";
import { type Refusals, UNKNOWN_CLIENT } from "../../refusals/refusals.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import {
  type AuthorizationRequest,
  type Prompt,
  CHOSEN,
  type SentParameters,
  noPkce,
  plainPkce,
  readAuthorizationRequest,
} from "../../oidc/authorization-request.ts";
import { type OpenRequest, PUSHED, type PushedRequests } from "../../oidc/pushed-requests.ts";
import { isRegistered } from "../../oidc/redirect-uris.ts";
import type { ResourceNames } from "../../resources/target.ts";
import type { Jwts } from "../../sessions/jwt.ts";
import { leave } from "../forward/enter.tsx";
import type { Visit } from "../visit.tsx";
import { postAnswer } from "./form-post.tsx";
import { showExpired, showSetupProblem } from "./setup-problem.tsx";

export const AUTHORIZE_PATH = "/oauth/authorize";

export interface AskedDeps {
  readonly clients: Clients;
  readonly refusals: Pick<Refusals, "note">;
  readonly jwts: Pick<Jwts, "read">;
  readonly pushedRequests: Pick<PushedRequests, "open" | "spend">;
  readonly administration: Pick<Administration, "findRefusal">;
  /** Of the center, which the answer names (RFC 9207). */
  readonly issuer: string;
  readonly resourceNames: ResourceNames;
}

export interface Asked {
  /** The parameters of the request; for a pushed one, without the steps that the person has completed since. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Parameters of URLs and forms on the way: those of the request, or the URI of a pushed request. */
  readonly carried: ReadonlyMap<string, string>;
  readonly client: ClientRecord;
  readonly request: AuthorizationRequest;
  readonly redirectUri: string;
  /** The expected account; undefined: any. */
  readonly expectedId: string | undefined;
  /** Leads the browser back to the application. */
  readonly answer: (fields: Readonly<Record<string, string>>) => Response | Promise<Response>;
}

/** The application and where it wants the browser, both as registered: anything else must not be led anywhere, and gets our own page. */
async function findClient(
  visit: Visit,
  deps: AskedDeps,
  parameters: ReadonlyMap<string, string>,
): Promise<Pick<Asked, "client" | "redirectUri"> | Response> {
  const { caller } = visit;
  const { clients, refusals } = deps;
  const client = await clients.find(parameters.get("client_id") ?? "");
  if (client === undefined) {
    const sent = parameters.get("client_id");
    refusals.note(UNKNOWN_CLIENT, { reason: "unknown_client", sent }, caller);
    const message = "No application is registered under this client_id";
    return showSetupProblem(visit, { reason: "unknown_client", sent, message }, deps);
  }
  const redirectUri = parameters.get("redirect_uri") ?? "";
  if (!isRegistered(redirectUri, client.redirectUris)) {
    refusals.note(client.id, { reason: "redirect_uri", sent: redirectUri }, caller);
    const message = `This redirect_uri is not registered for the application "${client.id}". An administrator must add it exactly as sent`;
    return showSetupProblem(visit, { reason: "redirect_uri", client, sent: redirectUri, message }, deps);
  }
  return { client, redirectUri };
}

/** The account that an ID token of this application was for; undefined for another's token. */
async function readHint(
  token: string,
  clientId: string,
  { jwts, issuer }: AskedDeps,
): Promise<string | undefined> {
  const hint = await jwts.read(token, { issuer, typ: "JWT" });
  return hint?.aud === clientId ? hint.sub : undefined;
}

interface Pushed extends OpenRequest {
  readonly uri: string;
  readonly clientId: string;
}

/** The request that the application sent ahead, if it did (RFC 9126 section 4); "expired" once it is used or too old. */
async function readPushed(
  { pushedRequests }: AskedDeps,
  parameters: ReadonlyMap<string, string>,
): Promise<Pushed | "expired" | undefined> {
  const uri = parameters.get("request_uri") ?? "";
  if (!uri.startsWith(PUSHED)) return undefined;
  const clientId = parameters.get("client_id") ?? "";
  const open = await pushedRequests.open(clientId, uri);
  return open === undefined ? "expired" : { ...open, uri, clientId };
}

/** Remaining requirements of a pushed request: a sign-in since the browser opened it counts; the URL does not. */
function toLeft({ parameters, openedAt }: Pushed, { subject }: Visit, isChosen: boolean) {
  const isFresh = subject !== undefined && subject.session.authenticatedAt >= openedAt;
  const done: Prompt[] = [...(isFresh ? (["login", "select_account"] as const) : [])];
  if (isChosen) done.push("select_account");
  const left = reduce(parameters, done);
  left.delete(HINTED);
  return left;
}

/** The parameters to carry to the answer. */
function toCarried({ uri, clientId }: Pushed, isChosen: boolean): ReadonlyMap<string, string> {
  return new Map([
    ["client_id", clientId],
    ["request_uri", uri],
    ...(isChosen ? [[CHOSEN, "1"] as const] : []),
  ]);
}

/**
 * The request, or the response to an invalid one. Throws `bad_request` to a program if the error must not be
 * redirected.
 */
export async function readAsked(
  visit: Visit,
  sent: SentParameters,
  deps: AskedDeps,
): Promise<Asked | Response> {
  const { issuer, refusals } = deps;
  const pushed = await readPushed(deps, sent.parameters);
  if (pushed === "expired")
    return showExpired(visit, await deps.clients.find(sent.parameters.get("client_id") ?? ""));
  const isChosen = sent.parameters.has(CHOSEN);
  const parameters = pushed === undefined ? sent.parameters : toLeft(pushed, visit, isChosen);
  const carried = pushed === undefined ? parameters : toCarried(pushed, isChosen);
  const found = await findClient(visit, deps, parameters);
  if (found instanceof Response) return found;
  const { client, redirectUri } = found;
  const state = parameters.get("state");
  const isPosted = parameters.get("response_mode") === "form_post" && /^https?:/iu.test(redirectUri);
  const answer: Asked["answer"] = async (told) => {
    // A refusal goes out also where nothing can be stored; a code does once.
    if (pushed !== undefined && !(await spend(deps, pushed, "code" in told)))
      return showExpired(visit, client);
    const fields = { ...told, ...(state === undefined ? {} : { state }), iss: issuer };
    return isPosted
      ? postAnswer(visit, client, { redirectUri, fields })
      : leave(visit, client, withQuery(redirectUri, fields));
  };
  if (client.requirePushedRequests && pushed === undefined) {
    const description = "This application must push its authorization requests to /oauth/par first";
    refusals.note(client.id, { reason: "request", sent: description }, visit.caller);
    return answer({ error: "invalid_request", error_description: description });
  }
  const read = pushed === undefined ? sent : { parameters, repeated: new Set<string>() };
  const request = readAuthorizationRequest(read, client, deps.resourceNames);
  if ("error" in request) {
    const isNoPkce = request === noPkce || request === plainPkce;
    const told = isNoPkce ? parameters.get("code_challenge_method") : request.error_description;
    refusals.note(client.id, { reason: isNoPkce ? "pkce_missing" : "request", sent: told }, visit.caller);
    return answer({ ...request });
  }
  const token = parameters.get("id_token_hint");
  const expectedId = token === undefined ? undefined : await readHint(token, client.id, deps);
  if (token !== undefined && expectedId === undefined) {
    const description = "The id_token_hint is not an ID token of this application";
    refusals.note(client.id, { reason: "request", sent: description }, visit.caller);
    return answer({ error: "invalid_request", error_description: description });
  }
  return { parameters, carried, client, request, redirectUri, expectedId, answer };
}

/** Replaces `login_hint` in a URL to which a person returns from the sign-in, once it was used. */
const HINTED = "hinted";

/** The expected user, from a request or a URL that leads back to one; "" for any. */
export function readLoginHint(parameters: { get(name: string): string | null | undefined }): string {
  const hint = (parameters.get("login_hint") ?? parameters.get(HINTED) ?? "").trim();
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,254}$/u.test(hint) ? hint : "";
}

/** Uses a request up; whether it was there. */
async function spend({ pushedRequests }: AskedDeps, { uri }: Pushed, isCode: boolean): Promise<boolean> {
  try {
    return await pushedRequests.spend(uri);
  } catch (error) {
    if (isCode) throw error;
    return true;
  }
}

/** The same URL once some requirements of the request are met. */
export function toAuthorizePath(carried: ReadonlyMap<string, string>, done: readonly Prompt[] = []): string {
  if (!carried.has("request_uri"))
    return withQuery(AUTHORIZE_PATH, Object.fromEntries(reduce(carried, done)));
  const left = new Map(carried);
  if (done.includes("select_account")) left.set(CHOSEN, "1");
  return withQuery(AUTHORIZE_PATH, Object.fromEntries(left));
}

/** The parameters without what is done. */
function reduce(parameters: ReadonlyMap<string, string>, done: readonly Prompt[]): Map<string, string> {
  const left = new Map(parameters);
  const prompts = (left.get("prompt") ?? "").split(" ").filter((word) => !done.some((one) => one === word));
  left.set("prompt", prompts.join(" "));
  // Just proved is as new as it gets: asked for once, and not again on the way back.
  if (done.includes("login")) left.delete("max_age");
  const hint = left.get("login_hint");
  if (done.includes("select_account") && hint !== undefined) {
    left.delete("login_hint");
    left.set(HINTED, hint);
  }
  if (left.get("prompt") === "") left.delete("prompt");
  return left;
}
