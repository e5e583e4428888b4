/** The page behind the links in notices. Opening it changes nothing, for programs open links; its button does, as do mail programs by POST (RFC 8058). */
import { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import type { ServiceApp } from "../../kit/http/app.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { readSite } from "../site/settings.ts";
import type { ShopDeps } from "../deps.ts";
import { createUnsubscribe, type NoticeState } from "./unsubscribe.ts";
import { type NoticeName, unsubscribeKinds } from "../mails/unsubscribe-link.ts";
import { createRoute } from "../http/create-route.ts";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } button { font: inherit; padding: .5rem .9rem }`;

function toPage(
  shopName: string,
  { kind, isOn, language, title }: NoticeState & Pick<NoticeName, "kind">,
): ReturnType<typeof html> {
  const { words, language: spoken } = findMailWords(language);
  const notice = kind === "chat_reply" ? "An answer to your message" : words[kind][0];
  const about = title === undefined ? notice : `${notice} — ${title}`;
  return html`<!doctype html>
    <html lang="${spoken}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${shopName}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <p>${shopName}</p>
        <h1>${about}</h1>
        ${isOn ? "" : html`<p>${words.unsubscribed}</p>`}
        <form method="post">
          <button name="notice" value="${isOn ? "off" : "on"}">
            ${isOn ? words.unsubscribeLink : words.resubscribe}
          </button>
        </form>
      </body>
    </html>`;
}

const base = { tags: ["wishlist"], "x-access": "token", path: "/api/unsubscribe/{kind}/{id}/{token}" };
const params = z.object({
  kind: z.enum(unsubscribeKinds),
  id: z.string().min(1).max(300),
  token: z.string().min(1).max(100),
});
const page: Record<string, { schema: { type: "string" } }> = { "text/html": { schema: { type: "string" } } };
const form = { schema: { type: "object" as const } };
const formContent: Record<string, typeof form> = {
  "application/x-www-form-urlencoded": form,
  "multipart/form-data": form,
};
const POLICY_HEADERS = { "content-security-policy": POLICY, "cache-control": "no-store" };

/** Adds GET and POST /api/unsubscribe/{kind}/{id}/{token}. */
export function addUnsubscribePage(app: ServiceApp, deps: Pick<ShopDeps, "store" | "box">): void {
  const unsubscribe = createUnsubscribe(deps);
  const show = async (kind: NoticeName["kind"], state: NoticeState): Promise<string> => {
    const { name } = await deps.store.read(readSite);
    return String(await toPage(name, { kind, ...state }));
  };
  const showUnsubscribe = createRoute({
    ...base,
    method: "get",
    operationId: "showUnsubscribe",
    summary: "The page of the link in a notice; changes nothing by itself",
    request: { params },
    responses: { 200: { description: "A page with a button", content: page } },
    errors: ["not_found", "invalid", "store_unavailable"],
  });
  app.openapi(showUnsubscribe, async (c) => {
    const { token, ...notice } = c.req.valid("param");
    return c.html(await show(notice.kind, await unsubscribe.find(notice, token)), 200, POLICY_HEADERS);
  });
  const answerUnsubscribe = createRoute({
    ...base,
    method: "post",
    operationId: "unsubscribe",
    summary: "Switch that notice off (one click, RFC 8058); with notice=on, on again",
    request: { params, body: { content: formContent } },
    responses: { 200: { description: "How it stands now, as a page", content: page } },
    errors: ["not_found", "invalid", "too_large", "store_unavailable"],
  });
  app.openapi(answerUnsubscribe, async (c) => {
    const { token, ...notice } = c.req.valid("param");
    const isOn = new URLSearchParams(await c.req.text()).get("notice") === "on";
    return c.html(await show(notice.kind, await unsubscribe.set(notice, token, isOn)), 200, POLICY_HEADERS);
  });
}
