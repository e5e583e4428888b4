/** Signing in to the shop at the auth center, and the cookie for it on every route. */
import { type AppEnv, type ServiceApp } from "../../kit/http/app.ts";
import { applicationScopes } from "../../records/rights/application-scopes.ts";
import { addProtectedResourceRoute } from "../../kit/resource/metadata-route.ts";
import { readLogoutToken } from "../../kit/http/request-body.ts";
import { readForm } from "../../html/sent-form.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import { assertOwnForm } from "../../html/form-origin.ts";
import type { Context, MiddlewareHandler } from "hono";
import { ShopError } from "../base/errors.ts";
import type { BuyerSessions } from "../users/buyer-sessions.ts";

export interface BuyerRoutesOptions {
  readonly center: AccountCenter;
  readonly buyers: BuyerSessions;
  readonly publicUrl: string;
  /** Whether a form brought the token of its page: browsers without scripts may not say who sent it. */
  readonly hasFormToken: (c: Context<AppEnv>, token: string | undefined) => boolean;
  /** Removes other data of a user who signs out from the browser. */
  readonly forget: (c: Context<AppEnv>) => void;
  /** The page that says that sign-in is unavailable. */
  readonly showAway: (c: Context<AppEnv>) => Promise<Response>;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Pages that ask who is signed in. Their forms are held to their own tokens (src/html/form-origin.ts). */
const PERSONAL_PAGES = [
  "/checkout",
  "/orders",
  "/orders/*",
  "/wishlist",
  "/wishlist/*",
  "/chat",
  "/chat/*",
  "/contact",
];
/** With one of these it is not the cookie that counts. */
const CREDENTIALS = ["authorization", "x-admin-token", "x-order-token"];

type KeeperOptions = Pick<BuyerRoutesOptions, "center" | "buyers" | "publicUrl">;

/** Sends the refreshed tokens to the browser. */
async function keepFresh({ center, buyers }: KeeperOptions, c: Context<AppEnv>): Promise<void> {
  const change = await buyers.findChange(c.req.raw);
  if (change === undefined) return;
  const cookie = change === "none" ? center.cookie.clear() : await center.cookie.write(change);
  c.header("set-cookie", cookie, { append: true });
}

/** Accepts changes by cookie from pages of the shop only, and keeps the cookie's tokens fresh. */
function createCookieKeeper(options: KeeperOptions): MiddlewareHandler<AppEnv> {
  const { buyers, publicUrl } = options;
  const own = { publicUrl: publicUrl === "" ? undefined : publicUrl, hasToken: () => false };
  return async (c, next) => {
    const { raw } = c.req;
    if (c.req.header("cookie") === undefined || CREDENTIALS.some((name) => c.req.header(name) !== undefined))
      return next();
    if (!SAFE_METHODS.has(c.req.method) && (await buyers.hasSession(raw))) assertOwnForm(raw, own);
    await next();
    await keepFresh(options, c);
  };
}

/** The shop as a resource of the auth center. */
function addResource(app: ServiceApp, { center, publicUrl }: BuyerRoutesOptions): void {
  addProtectedResourceRoute(app, (requestUrl) => {
    const authorizationServer = center.findUrl(requestUrl);
    if (authorizationServer === undefined) return undefined;
    const resource = publicUrl === "" ? new URL(requestUrl).origin : publicUrl;
    return { resource, authorizationServer, scopes: applicationScopes.shop, name: "Shop" };
  });
}

/** Adds /sign-in, /callback, /sign-out and /backchannel-logout; before the routes that take the cookie. */
export function addBuyerRoutes(app: ServiceApp, options: BuyerRoutesOptions): void {
  const { center, publicUrl, hasFormToken, forget, showAway } = options;
  addResource(app, options);
  app.use("/api/*", createCookieKeeper(options));
  const keepOfPage: MiddlewareHandler<AppEnv> = async (c, next) => {
    await next();
    await keepFresh(options, c);
  };
  for (const path of PERSONAL_PAGES) app.use(path, keepOfPage);
  app.get("/sign-in", async (c) => {
    // A browser would end at an address that does not answer.
    if ((await center.ask(c.req.url)) === "away") return showAway(c);
    return center.begin(c.req.raw, c.req.query("rd"), { isFresh: c.req.query("fresh") === "1" });
  });
  app.get("/callback", async (c) => {
    const arrived = await center.receive(c.req.raw);
    c.header("cache-control", "no-store");
    if (arrived instanceof Response) return arrived;
    c.header("set-cookie", await center.cookie.write(arrived.tokens), { append: true });
    return c.redirect(arrived.returnTo, 303);
  });
  app.post("/sign-out", async (c) => {
    const { values } = await readForm(c);
    assertOwnForm(c.req.raw, {
      publicUrl: publicUrl === "" ? undefined : publicUrl,
      hasToken: () => hasFormToken(c, values["form"]),
    });
    const tokens = await center.cookie.read(c.req.raw);
    if (tokens !== undefined && !(await center.end(tokens)))
      throw new ShopError(
        "auth_unavailable",
        "The auth center is unavailable, so you are still signed in there. Try again soon",
        {
          retryAfterSeconds: 5,
        },
      );
    forget(c);
    c.header("set-cookie", center.cookie.clear(), { append: true });
    c.header("cache-control", "no-store");
    return c.redirect("/", 303);
  });
  app.post("/backchannel-logout", async (c) => {
    await center.readLogout(await readLogoutToken(c));
    c.header("cache-control", "no-store");
    return c.body(null, 200);
  });
}
