/** Every route of the shop's OpenAPI document, with what opens it and a body that it takes. */
import assert from "node:assert/strict";
import { type TestShop, ADMIN_TOKEN } from "../app-fixture.ts";
import { WEBHOOK_SECRET } from "../goods.ts";

/** What the document says of a route. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly security?: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<string, unknown>;
}

/** A route, with a path that leads to nothing. */
export interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Schemes that open it; "" when it opens without any. */
  readonly schemes: readonly string[];
  readonly mediaType: string | undefined;
  readonly example: unknown;
  readonly operation: Operation;
}

/** Of the right form; nothing has these ids. */
export const NOBODY = "0".repeat(26);
const places: Readonly<Record<string, string>> = {
  productId: `prd_${NOBODY}`,
  idOrSlug: "no-such-product",
  slug: "no-such-page",
  hash: "0".repeat(64),
  keyId: `sec_${NOBODY}`,
  fileId: `fil_${NOBODY}`,
  lineId: `lin_${NOBODY}`,
  number: "1",
  orderId: `ord_${NOBODY}`,
  provider: "test",
  word: `a${NOBODY}`,
  file: "no-such-file.js",
  kind: "restock",
  id: "no-such-wish",
  token: "no-such-token",
  deviceId: `dev_${NOBODY}`,
  deliveryId: `whd_${NOBODY}`,
  format: "pdf",
  language: "no-such-language",
};
const idPrefixes: Readonly<Record<string, string>> = {
  products: "prd",
  coupons: "cpn",
  orders: "ord",
  payments: "pay",
  outbox: "mail",
  conversations: "cnv",
  webhooks: "whe",
  uploads: "upl",
  customers: "cus",
};

function toPath(template: string): string {
  return template
    .replace("draft-orders/{number}", "draft-orders/no-such-number")
    .replaceAll(/(\w+)\/\{id\}/gu, (_all, noun: string) => `${noun}/${idPrefixes[noun] ?? "no"}_${NOBODY}`)
    .replaceAll(/\{(\w+)\}/gu, (_all, name: string) => places[name] ?? assert.fail(name));
}

/** Every route of the document. */
export async function listRoutes(app: TestShop): Promise<Route[]> {
  const document: { paths: Record<string, Record<string, Operation>> } = await (
    await app.fetch("/openapi.json")
  ).json();
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => {
      const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      const security = operation.security ?? [];
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        path: toPath(template),
        schemes:
          security.length === 0
            ? [""]
            : security.flatMap((one) => (Object.keys(one).length === 0 ? [""] : Object.keys(one))),
        mediaType,
        example: content?.example,
        operation,
      };
    }),
  );
}

/** Opens without a credential. */
export const isOpen = ({ schemes }: Route): boolean => schemes.includes("");
/** Opens to administrators alone: with their token, or signed in. */
export const isAdmin = ({ schemes }: Route): boolean =>
  schemes.includes("adminToken") && !schemes.includes("bearer");
/** Opens with the access token of a user, among others. */
export const takesBearer = ({ schemes }: Route): boolean => schemes.includes("bearer");
/** Opens with the token of a link that was emailed, and with nothing else. */
export const isByLink = ({ schemes }: Route): boolean => schemes.join() === "orderToken";
/** Takes a JSON body. */
export const takesJson = ({ mediaType }: Route): boolean => mediaType === "application/json";
/** Has an id or a word in its path. */
export const hasPlace = ({ name }: Route): boolean => name.includes("{");
/** Creates a missing record. */
export const isMaker = ({ name }: Route): boolean => name === "PUT /api/admin/site/providers/{word}";
/** Answers with pages for people. */
export const isPage = ({ name }: Route): boolean => /\/(?:demo-pay|unsubscribe)\//u.test(name);
/** Takes notices of payment services. */
export const isWebhook = ({ name }: Route): boolean => name.includes("/api/webhooks/");

/** What opens a route. */
export function credentials(route: Route): Record<string, string> {
  if (isWebhook(route)) return { "x-webhook-secret": WEBHOOK_SECRET };
  if (route.schemes.includes("adminToken")) return { "x-admin-token": ADMIN_TOKEN };
  if (isByLink(route)) return { "x-order-token": `ot_${NOBODY}` };
  return takesBearer(route) ? { authorization: "Bearer token-ann" } : {};
}

/** A body that is valid in form, so that the refusal is about something else. */
export function validBody(route: Route): { headers: Record<string, string>; body?: string } {
  const { mediaType } = route;
  if (mediaType === undefined) return { headers: {} };
  const body = takesJson(route) ? JSON.stringify(route.example) : "x";
  return { headers: { "content-type": mediaType }, body };
}
