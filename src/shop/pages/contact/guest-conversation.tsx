/** @jsxImportSource hono/jsx */
/** A conversation of a guest: its messages, and a form for the next one. */
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { newCodeText } from "../../../kit/secrets/id.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { Chat, History } from "../../chat/chat.ts";
import { toPictureKey } from "../../chat/guest-links.ts";
import { ChatLog } from "../chat/chat-log.tsx";
import type { Visit } from "../visit.tsx";

const SHOWN = 40;
/** The field of a guest's message: another than the chat's, where a picture will do. */
export const QUESTION = "question";
/** Errors of the message are shown there. */
export const questionFields = { body: QUESTION };

/** The part of a conversation that the page's URL asks for; opened without a cursor, its replies have been read. */
export async function readGuestHistory(
  chat: Pick<Chat, "history" | "readByUser">,
  id: string,
  { c }: Pick<Visit, "c">,
): Promise<History> {
  const cursor = c.req.method === "GET" ? c.req.query("cursor") : undefined;
  const history = await chat.history(id, { limit: SHOWN, cursor, order: "older" });
  if (cursor === undefined && (history.conversation?.unreadUser ?? 0) > 0) await chat.readByUser(id);
  return history;
}

interface Props {
  readonly visit: Visit;
  readonly state: FormState;
  readonly history: History;
  readonly box: ShopDeps["box"];
  /** The page of the conversation. */
  readonly path: string;
  /** Where its form goes. */
  readonly action: string;
  readonly hint: string;
}

export function GuestConversation({ visit, state, history, box, path, action, hint }: Props) {
  const { t, formToken } = visit;
  const toPictureUrl = (id: string): string => `/api/chat/attachments/${id}?key=${toPictureKey(box, id)}`;
  return (
    <div class="stack" id="conversation">
      {history.items.length === 0 ? (
        <></>
      ) : (
        <ChatLog history={history} visit={visit} path={path} toPictureUrl={toPictureUrl} />
      )}
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Form action={action} token={formToken} class="stack">
        <input type="hidden" name="clientId" value={state.values["clientId"] ?? `page-${newCodeText(20)}`} />
        <Field name={QUESTION} label={t("chat.body")} hint={hint} state={state} rows={3} required />
        <div class="row">
          <button class="button primary" type="submit">
            {t("chat.send")}
          </button>
        </div>
      </Form>
    </div>
  );
}
