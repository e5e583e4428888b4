/** The nine texts of the descriptor, made of the registered routes, so that none can lack one. */
import type { RouteEntry } from "../../kit/http/docs.ts";

/** Names of the route groups in the descriptor. */
export type EndpointKey =
  | "admin"
  | "auth"
  | "chat_admin"
  | "chat_user"
  | "health"
  | "orders"
  | "public"
  | "webhooks"
  | "wishlist";

const BEARER = "Authorization: Bearer with an access token of the auth center";

const needs: Readonly<Record<Exclude<EndpointKey, "auth">, string>> = {
  admin: "header X-Admin-Token",
  chat_admin: "header X-Admin-Token",
  chat_user: BEARER,
  health: "no credential",
  orders: `${BEARER}, or X-Order-Token of a checkout for one order`,
  public: "no credential",
  webhooks: "X-Webhook-Secret or a signature, depending on the provider settings",
  wishlist: BEARER,
};

const prefixes: readonly (readonly [prefix: string, key: EndpointKey])[] = [
  ["/api/admin/chat", "chat_admin"],
  ["/api/admin", "admin"],
  ["/api/chat", "chat_user"],
  ["/api/health", "health"],
  ["/api/orders", "orders"],
  ["/api/webhooks", "webhooks"],
  ["/api/wishlist", "wishlist"],
];

function toKey(path: string): EndpointKey {
  return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "public";
}

/** One text for each group: methods and whole paths, then what they need. */
export function describeEndpoints(
  routes: readonly RouteEntry[],
  authUrl: string | undefined,
): Record<EndpointKey, string> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  const listed = (key: EndpointKey): string =>
    [...methods]
      .filter(([path]) => toKey(path) === key)
      .map(([path, all]) => `${all.join("|")} ${path}`)
      .join(", ");
  const text = (key: Exclude<EndpointKey, "auth">): string => `${listed(key)}; ${needs[key]}`;
  const center = authUrl === undefined ? "the auth center" : `the auth center at ${authUrl}`;
  return {
    admin: text("admin"),
    auth: `POST /api/auth/login, POST /api/auth/refresh of ${center}; its access token is sent as Authorization: Bearer`,
    chat_admin: text("chat_admin"),
    chat_user: text("chat_user"),
    health: text("health"),
    orders: text("orders"),
    public: text("public"),
    webhooks: text("webhooks"),
    wishlist: text("wishlist"),
  };
}
