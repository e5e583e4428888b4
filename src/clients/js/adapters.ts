/** The sign-in for handlers of Request, for Node's http (Express too) and for hono. */
import type { SignIn, Visit } from "./sign-in.ts";

/** A request as Node hands it out. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A response as Node hands it out. */
export interface NodeResponse {
  statusCode: number;
  appendHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** The part of hono's context that is used. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  set(name: "visit", value: Visit): void;
  header(name: string, value: string, options: { append: true }): void;
}

/** Handles requests of those who may come; the rest is answered before. */
export function withSignIn(
  signIn: SignIn,
  handler: (request: Request, visit: Visit) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const visit = await signIn.open(request);
    if (visit.response !== undefined) return visit.response;
    const given = await handler(request, visit);
    if (visit.cookies.length === 0) return given;
    // Headers of redirects and of fetch's answers do not change: a copy's do.
    const response = new Response(given.body, given);
    for (const cookie of visit.cookies) response.headers.append("set-cookie", cookie);
    return response;
  };
}

/** The user of a Node request; undefined when it has been answered. */
export async function openNode(
  signIn: SignIn,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<Visit | undefined> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, typeof value === "string" ? value : value.join(", "));
  // The host does not count: paths are compared alone.
  const url = new URL(`http://app.invalid${incoming.url ?? "/"}`);
  const visit = await signIn.open(new Request(url, { method: incoming.method ?? "GET", headers }));
  for (const cookie of visit.cookies) outgoing.appendHeader("set-cookie", cookie);
  const { response } = visit;
  if (response === undefined) return visit;
  outgoing.statusCode = response.status;
  response.headers.forEach((value, name) => outgoing.appendHeader(name, value));
  outgoing.end(await response.text());
  return undefined;
}

/** Middleware of hono: `c.get("visit")` is the visitor. */
export function honoSignIn(
  signIn: SignIn,
): (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (c, next) => {
    const visit = await signIn.open(c.req.raw);
    if (visit.response !== undefined) return visit.response;
    c.set("visit", visit);
    for (const cookie of visit.cookies) c.header("set-cookie", cookie, { append: true });
    await next();
    return undefined;
  };
}
