/** @jsxImportSource hono/jsx */
/** Questions of guests: the contact page, and the page of a conversation, which the link of a reply opens. */
import { AppError } from "../../../kit/errors.ts";
import { newCodeText } from "../../../kit/secrets/id.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import { withReturn } from "../../../html/return-path.ts";
import { type SentForm, parseInput } from "../../../html/sent-form.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Chat } from "../../chat/chat.ts";
import { guestMessageSchema, questionSchema } from "../../chat/question-routes.ts";
import type { ConversationRecord } from "../../chat/schema.ts";
import { toProductPath } from "../../products/slug.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { readBuyer } from "../account/buyers.ts";
import { ASKED, findMailDoubts, takeMeant, withAsked } from "../checkout/doubts.ts";
import type { OrderCookie } from "../order/order-cookie.ts";
import type { PageRoutes } from "../page.ts";
import { EmailField } from "../pieces/email-field.tsx";
import type { Visit } from "../visit.tsx";
import { GuestConversation, QUESTION, questionFields, readGuestHistory } from "./guest-conversation.tsx";

const PATH = "/contact";
const CONVERSATION = "/questions/:id";
/** Programs that fill in forms fill in this field; people don't see it. */
const TRAP = "website";

interface Parts extends Pick<ShopDeps, "box"> {
  readonly chat: Chat;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly userCheck: UserCheck;
  readonly orderCookie: OrderCookie;
  readonly hasAccounts: boolean;
}

type State = FormState & { readonly status: FormStatus };

/** Other ways to reach the shop. */
function Elsewhere({ visit, hasAccounts }: { readonly visit: Visit; readonly hasAccounts: boolean }) {
  const { t, site } = visit;
  const { email, phone } = site.contact;
  return (
    <div class="stack is-tight small">
      <p>
        {t("contact.order")} <a href="/find-order">{t("order.find")}</a>
      </p>
      {hasAccounts ? (
        <p>
          {t("checkout.haveAccount")} <a href={withReturn("/sign-in", "/chat")}>{t("account.signIn")}</a>
        </p>
      ) : (
        <></>
      )}
      {email === "" ? (
        <></>
      ) : (
        <p>
          {t("contact.email")}: <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      {phone === "" ? (
        <></>
      ) : (
        <p>
          {t("contact.phone")}: <a href={`tel:${phone.replaceAll(/[^\d+]/gu, "")}`}>{phone}</a>
        </p>
      )}
    </div>
  );
}

function AskForm({ visit, state, catalogue }: { visit: Visit; state: FormState } & Pick<Parts, "catalogue">) {
  const { t, c, formToken, sellersLanguage } = visit;
  const product = catalogue.find(state.values["productId"] ?? c.req.query("product") ?? "")?.product;
  const asked = state.values[ASKED];
  return (
    <Form action={PATH} token={formToken} class="card is-raised stack">
      <input type="hidden" name="clientId" value={state.values["clientId"] ?? `page-${newCodeText(20)}`} />
      {asked === undefined ? <></> : <input type="hidden" name={ASKED} value={asked} />}
      {product === undefined ? (
        <></>
      ) : (
        <p class="small">
          <input type="hidden" name="productId" value={product.id} />
          {t("chat.about")}:{" "}
          <a href={toProductPath(product.slug)}>{wordsIn(product, sellersLanguage).title}</a>
        </p>
      )}
      <EmailField visit={visit} state={state} hint={t("contact.emailHint")} />
      <Field name={QUESTION} label={t("chat.body")} state={state} rows={6} required />
      <div class="off-screen" aria-hidden="true">
        <label for="contact-website">{t("contact.trap")}</label>
        <input id="contact-website" name={TRAP} tabindex={-1} autocomplete="off" />
      </div>
      <button class="button primary wide" type="submit">
        {t("contact.send")}
      </button>
    </Form>
  );
}

async function showContact(parts: Parts, visit: Visit, state: State): Promise<Response> {
  const { t, c } = visit;
  const { hasAccounts, catalogue } = parts;
  const isOpened = state.action === undefined;
  if (isOpened && (await readBuyer(parts.userCheck, visit)).user !== undefined) {
    const product = c.req.query("product");
    return c.redirect(product === undefined ? "/chat" : `/chat?product=${encodeURIComponent(product)}`, 303);
  }
  const isDone = isOpened && c.req.query("done") !== undefined;
  return visit.render({
    title: t("chat.title"),
    narrow: true,
    place: PATH,
    status: state.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t("chat.title")}</h1>
          <p class="muted">{t("contact.text")}</p>
        </div>
        {isDone ? (
          <div class="note is-good" role="status">
            <p>{t("contact.done")}</p>
            <a href={PATH}>{t("contact.again")}</a>
          </div>
        ) : (
          <>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <AskForm visit={visit} state={state} catalogue={catalogue} />
          </>
        )}
        <Elsewhere visit={visit} hasAccounts={hasAccounts} />
      </>
    ),
  });
}

async function ask(parts: Parts, visit: Visit, { values }: SentForm): Promise<Response> {
  const sent = visit.c.redirect(`${PATH}?done=sent`, 303);
  if ((values[TRAP] ?? "") !== "") return sent;
  const meant = takeMeant(values);
  if (meant !== undefined)
    return showContact(parts, visit, { action: "", values: meant, faults: [], status: 200 });
  const { email = "", clientId, productId } = values;
  const body = values[QUESTION] ?? "";
  const question = parseInput(questionSchema, { email, body, clientId, productId, language: visit.language });
  const doubts = findMailDoubts({ visit, values }, ["email"]);
  if (doubts.length > 0) {
    const asked = withAsked(values, doubts);
    return showContact(parts, visit, { action: "", values: asked, faults: doubts, status: 422 });
  }
  await parts.chat.questions.ask({ ...question, language: visit.language }, visit.caller.clientAddress);
  return sent;
}

/** The guest's conversation in the URL, and its token. */
async function openKept({ chat, orderCookie }: Parts, { c }: Visit) {
  const id = c.req.param("id") ?? "";
  const token = orderCookie.find(c, id) ?? "";
  return { id, token, conversation: await chat.questions.open(id, token) };
}

function toTitle({ guest }: ConversationRecord, { t }: Visit): string {
  const number = guest?.order?.number;
  return number === undefined ? t("contact.conversation") : t("chat.aboutOrder", { number });
}

/** Keeps the token of a link, and shows the conversation without it in the URL. */
async function enterByLink({ chat, orderCookie }: Parts, { c }: Visit, token: string): Promise<Response> {
  const id = c.req.param("id") ?? "";
  await chat.questions.openByLink(id, token);
  orderCookie.keep(c, id, token);
  c.header("cache-control", "no-store");
  return c.redirect(`/questions/${id}`, 303);
}

function showShut({ hasAccounts }: Parts, visit: Visit): Response {
  const { t } = visit;
  return visit.render({
    title: t("contact.conversation"),
    narrow: true,
    status: 404,
    body: (
      <div class="stack">
        <h1>{t("contact.conversation")}</h1>
        <p>{t("contact.shut")}</p>
        {hasAccounts ? (
          <a class="button primary wide" href={withReturn("/sign-in", "/chat")}>
            {t("account.signIn")}
          </a>
        ) : (
          <></>
        )}
        <a class="button wide" href={PATH}>
          {t("contact.ask")}
        </a>
      </div>
    ),
  });
}

async function showConversation(parts: Parts, visit: Visit, state: State): Promise<Response> {
  const { t, c } = visit;
  const token = c.req.query("token");
  try {
    if (token !== undefined && c.req.method === "GET") return await enterByLink(parts, visit, token);
    const { id, conversation } = await openKept(parts, visit);
    const title = toTitle(conversation, visit);
    const history = await readGuestHistory(parts.chat, id, visit);
    const path = `/questions/${id}`;
    const body = (
      <>
        <h1>{title}</h1>
        <GuestConversation
          visit={visit}
          state={state}
          history={history}
          box={parts.box}
          path={path}
          action={path}
          hint={t("contact.replyHint", { email: conversation.guest?.email ?? "" })}
        />
      </>
    );
    return visit.render({ title, narrow: true, status: state.status, body });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return showShut(parts, visit);
    throw error;
  }
}

/** Adds /contact and /questions/{id}. */
export function addContactPages(pages: PageRoutes, parts: Parts): void {
  pages.addPublic({
    path: PATH,
    show: (visit, state) => showContact(parts, visit, state),
    actions: {
      "": { isOnce: true, fields: questionFields, submit: (visit, form) => ask(parts, visit, form) },
    },
  });
  pages.addPublic({
    path: CONVERSATION,
    show: (visit, state) => showConversation(parts, visit, state),
    actions: {
      "": {
        fields: questionFields,
        submit: async (visit, { values }) => {
          const { id, token } = await openKept(parts, visit);
          const { clientId } = values;
          const message = parseInput(guestMessageSchema, { body: values[QUESTION] ?? "", clientId });
          await parts.chat.questions.write(id, token, { ...message, clientId, language: visit.language });
          return visit.c.redirect(`/questions/${id}`, 303);
        },
      },
    },
  });
}
