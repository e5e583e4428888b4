/** @jsxImportSource hono/jsx */
/** The page behind the links in notices. Opening it changes nothing, for programs open links; its button does, as do mail programs by POST (RFC 8058). */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { readFields } from "../../../kit/http/request-body.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { createRoute } from "../../edge/create-route.ts";
import { findMailWords } from "../../mails/mail-words.ts";
import { type NoticeName, unsubscribeKinds } from "../../mails/unsubscribe-link.ts";
import { type NoticeState, createUnsubscribe } from "../../wishlist/unsubscribe.ts";
import type { Visit, Visits } from "../visit.tsx";

type Shown = NoticeState & Pick<NoticeName, "kind">;

function UnsubscribePage({ visit, state }: { readonly visit: Visit; readonly state: Shown }) {
  const { kind, isOn, title } = state;
  const { words } = findMailWords(visit.language);
  const notice = kind === "chat_reply" ? visit.t("unsubscribe.chat") : words[`${kind}.title`];
  const about = title === undefined ? notice : `${notice} — ${title}`;
  return (
    <>
      <h1>{about}</h1>
      {isOn ? (
        <></>
      ) : (
        <p class="note is-good" role="status">
          {words.unsubscribed}
        </p>
      )}
      <form method="post">
        <button class="button primary wide" name="notice" value={isOn ? "off" : "on"} type="submit">
          {isOn ? words.unsubscribeLink : words.resubscribe}
        </button>
      </form>
    </>
  );
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

/** Adds GET and POST /api/unsubscribe/{kind}/{id}/{token}. */
export function addUnsubscribePage(
  app: ServiceApp,
  deps: Pick<ShopDeps, "store" | "box" | "clock"> & { readonly visits: Visits },
): void {
  const unsubscribe = createUnsubscribe(deps);
  const show = async (c: Context<AppEnv>, state: Shown): Promise<Response> => {
    const visit = await deps.visits.openPlain(c);
    const body = <UnsubscribePage visit={visit} state={state} />;
    return visit.render({ title: visit.t("unsubscribe.title"), narrow: true, body });
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
    return show(c, { kind: notice.kind, ...(await unsubscribe.find(notice, token)) });
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
    const isOn = (await readFields(c)).get("notice") === "on";
    return show(c, { kind: notice.kind, ...(await unsubscribe.set(notice, token, isOn)) });
  });
}
