/** The site that a proxy asks about, and its visitor. */
import type { Context } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import { createHostCookie } from "../../../kit/http/cookies.ts";
import { AppError } from "../../../kit/errors.ts";
import type { Forward, Site, Visitor } from "../../forward/forward.ts";
import { toCaller } from "../../sessions/http/callers.ts";
import { type Refusals, UNKNOWN_CLIENT } from "../../refusals/refusals.ts";
import { type Asked, readAsked } from "./asked.ts";

const TOKEN = /^Bearer +(acc_[\w-]{43})$/iu;

/** A request to a protected site. */
export interface Gateway {
  readonly asked: Asked;
  readonly site: Site;
  readonly visitor: Visitor | undefined;
}

/** The site's own cookie: by application and port, since all ports of a host share its cookies. */
export function cookieOf({ client, origin }: Site) {
  const { port } = new URL(origin);
  // No id contains "~".
  return createHostCookie(`trivet_app_${client.id}${port === "" ? "" : `~${port}`}`, origin);
}

/** The origin that a proxy tells, registered or not; undefined where it tells none. */
export function findOrigin(c: Context<AppEnv>): string | undefined {
  try {
    return readAsked((name) => c.req.header(name)).origin;
  } catch {
    return undefined;
  }
}

export function createOpening({
  forward,
  refusals,
}: {
  readonly forward: Forward;
  readonly refusals: Pick<Refusals, "note">;
}) {
  async function identify(c: Context<AppEnv>, asked: Asked, site: Site): Promise<Gateway> {
    const accessToken = TOKEN.exec(c.req.header("authorization") ?? "")?.[1];
    const shown = { cookie: cookieOf(site).read(c), accessToken, address: c.get("clientAddress") };
    return { asked, site, visitor: await forward.identify(site, shown) };
  }

  const read = (c: Context<AppEnv>): Asked => readAsked((name) => c.req.header(name));

  /** Throws `bad_request` for a proxy that does not say what it asks about, `forbidden` for a site of no application. */
  async function open(c: Context<AppEnv>): Promise<Gateway> {
    const asked = read(c);
    const site = await forward.find(asked.origin);
    if (site === undefined)
      throw new AppError(
        "forbidden",
        `No application protects the origin "${asked.origin}". An administrator must add it to the protectedOrigins of an application`,
      );
    return identify(c, asked, site);
  }

  /**
   * The same for a proxy that names the application. Throws `not_found` for one that is not registered, `bad_request`
   * for a site of another one.
   */
  async function openNamed(c: Context<AppEnv>, id: string): Promise<Gateway> {
    const asked = read(c);
    const named = await forward.findNamed(id, asked.origin);
    if (named === undefined) {
      refusals.note(UNKNOWN_CLIENT, { reason: "unknown_client", sent: id }, toCaller(c));
      throw new AppError(
        "not_found",
        `The application "${id}" does not exist. Set the application ID in the proxy configuration exactly as the console shows it`,
      );
    }
    if (named.site === undefined) {
      refusals.note(id, { reason: "protected_origin", sent: asked.origin }, toCaller(c));
      throw new AppError(
        "bad_request",
        `The application "${id}" does not protect the origin "${asked.origin}". Set X-Forwarded-Proto and X-Forwarded-Host in the proxy configuration to one of its origins, or add this origin to the application`,
        { details: { application: id } },
      );
    }
    return identify(c, asked, named.site);
  }

  /** The same for a proxy that does not name the application. Throws `bad_request` unless an administrator allows that. */
  async function openUnnamed(c: Context<AppEnv>): Promise<Gateway> {
    if (await forward.allowsUnnamed()) return open(c);
    const { origin } = read(c);
    const site = await forward.find(origin);
    if (site !== undefined)
      refusals.note(site.client.id, { reason: "unnamed_route", sent: origin }, toCaller(c));
    throw new AppError(
      "bad_request",
      `The proxy must name the application. Use /api/auth/forward/${site?.client.id ?? "{application}"} instead of /api/auth/forward; the console shows the proxy configuration on the application's page`,
      site === undefined ? {} : { details: { application: site.client.id } },
    );
  }

  return { open, openNamed, openUnnamed };
}
