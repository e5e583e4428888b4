/** @jsxImportSource hono/jsx */
/** The chat with the shop, for buyers who are signed in; a script makes it live, and a drawer on every page. */
import { AppError } from "../../../kit/errors.ts";
import { imageMediaTypes } from "../../../kit/pictures/image-type.ts";
import type { FormState } from "../../../html/faults.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormStatus } from "../../../html/form-pages.ts";
import { withReturn } from "../../../html/return-path.ts";
import { type SentForm, parseInput } from "../../../html/sent-form.ts";
import { newCodeText } from "../../../kit/secrets/id.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Chat } from "../../chat/chat.ts";
import { newMessageSchema } from "../../chat/answer-schema.ts";
import { getUser } from "../../edge/user-guard.ts";
import type { Orders } from "../../orders/orders.ts";
import type { UserCheck } from "../../users/user-check.ts";
import type { ShopUser } from "../../users/caller.ts";
import { type Buyer, readBuyer } from "../account/buyers.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { ChatLog } from "./chat-log.tsx";
import { toProductPath } from "../../products/slug.ts";

const PATH = "/chat";
const SHOWN = 40;
/** In the place of a picture that is still to be kept. */
const ANY_PICTURE = "att_0";

interface Parts {
  readonly chat: Chat;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly userCheck: UserCheck;
  readonly orders: Pick<Orders, "getByNumber">;
  readonly hasAccounts: boolean;
}

type State = FormState & { readonly status: FormStatus };

/** The product that the address or the form is about. */
function findProduct({ catalogue }: Parts, { c }: Visit, state: State) {
  return catalogue.find(state.values["productId"] ?? c.req.query("product") ?? "")?.product;
}

const CONTACT = "/contact";
const toContactPath = (product: string): string => `${CONTACT}?product=${encodeURIComponent(product)}`;

/** For visitors without a session. */
function SignInFirst({
  visit,
  isAway,
  typed,
}: {
  readonly visit: Visit;
  readonly isAway: boolean;
  /** Their input before the session expired. */
  readonly typed: string | undefined;
}) {
  const { t, site, c } = visit;
  const { email } = site.contact;
  const product = c.req.query("product");
  const order = c.req.query("order");
  const about = new URLSearchParams(order === undefined ? {} : { order });
  if (product !== undefined) about.set("product", product);
  const returnPath = about.size === 0 ? PATH : `${PATH}?${about.toString()}`;
  return (
    <div class="stack" id="chat">
      <p>{t(isAway ? "chat.away" : "chat.signInFirst")}</p>
      {typed === undefined ? <></> : <blockquote class="pre-line">{typed}</blockquote>}
      {isAway ? (
        <></>
      ) : (
        <a class="button primary wide" href={withReturn("/sign-in", returnPath)}>
          {t("chat.signIn")}
        </a>
      )}
      <a class="button wide" href={product === undefined ? CONTACT : toContactPath(product)}>
        {t("chat.asGuest")}
      </a>
      {email === "" ? <></> : <p class="muted">{t("chat.mail", { email })}</p>}
    </div>
  );
}

const ORDER_NUMBER = /^[0-9A-Za-z-]{1,40}$/u;

/** The order that the URL or the form is about; whether it is the user's is checked with the message. */
function findOrderNumber({ c }: Visit, { values }: State): string | undefined {
  const number = values["orderNumber"] ?? c.req.query("order") ?? "";
  return ORDER_NUMBER.test(number) ? number : undefined;
}

function WriteForm({ parts, visit, state }: { parts: Parts; visit: Visit; state: State }) {
  const { t, formToken, sellersLanguage } = visit;
  const order = findOrderNumber(visit, state);
  const product = findProduct(parts, visit, state);
  return (
    <Form action={PATH} token={formToken} upload class="stack">
      {/* Sent again at once, it is stored once. */}
      <input type="hidden" name="clientId" value={state.values["clientId"] ?? `page-${newCodeText(20)}`} />
      {product === undefined ? (
        <></>
      ) : (
        <p class="small">
          <input type="hidden" name="productId" value={product.id} />
          {t("chat.about")}:{" "}
          <a href={toProductPath(product.slug)}>{wordsIn(product, sellersLanguage).title}</a>
        </p>
      )}
      {order === undefined ? (
        <></>
      ) : (
        <p class="small">
          <input type="hidden" name="orderNumber" value={order} />
          <a href={`/orders/${order}`}>{t("chat.aboutOrder", { number: order })}</a>
        </p>
      )}
      <Field name="body" label={t("chat.body")} state={state} rows={3} />
      <div class="field">
        <label class="field-label" for="field-picture">
          {t("chat.picture")}
        </label>
        <p class="field-hint" id="field-picture-hint">
          {t("chat.pictureHint")}
        </p>
        <input
          id="field-picture"
          type="file"
          name="picture"
          accept={imageMediaTypes.join(",")}
          aria-describedby="field-picture-hint"
        />
      </div>
      <button class="button primary" type="submit">
        {t("chat.send")}
      </button>
    </Form>
  );
}

async function show(parts: Parts, visit: Visit, state: State): Promise<Response> {
  const { chat, userCheck, hasAccounts } = parts;
  const { t, c } = visit;
  const { user, isAway }: Buyer = await readBuyer(userCheck, visit);
  if (user === undefined && !hasAccounts) {
    const product = c.req.query("product");
    return c.redirect(product === undefined ? CONTACT : toContactPath(product), 303);
  }
  const frame = { title: t("chat.title"), narrow: true, place: PATH } as const;
  if (user === undefined) {
    const body = (
      <>
        <h1>{t("chat.title")}</h1>
        <SignInFirst visit={visit} isAway={isAway} typed={state.values["body"]} />
      </>
    );
    return visit.render({ ...frame, status: isAway ? 503 : 200, body });
  }
  if (c.req.method === "GET") await chat.questions.join(() => userCheck.readAddresses(c.req.raw), user);
  const cursor = c.req.method === "GET" ? c.req.query("cursor") : undefined;
  const mayWrite = user.impersonatedBy === undefined;
  const history = await chat.history(user.id, { limit: SHOWN, cursor, order: "older" });
  // An administrator who looks into the account has not read it in its owner's name.
  if (mayWrite && cursor === undefined && (history.conversation?.unreadUser ?? 0) > 0)
    await chat.readByUser(user.id);
  const body = (
    <>
      <h1>{t("chat.title")}</h1>
      <div class="stack" id="chat" data-live={cursor === undefined ? "true" : undefined}>
        <p class="small muted" id="chat-state" role="status">
          {history.conversation?.status === "resolved"
            ? t("chat.resolved")
            : t(chat.isStaffed() ? "chat.here" : "chat.notHere")}
        </p>
        <div class="stack" id="chat-messages" aria-live="polite">
          <ChatLog history={history} visit={visit} path={PATH} />
        </div>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        {mayWrite ? (
          <WriteForm parts={parts} visit={visit} state={state} />
        ) : (
          <p class="muted">{t("chat.onlyLook")}</p>
        )}
        <a class="small" id="chat-look" href={PATH}>
          {t("chat.look")}
        </a>
      </div>
    </>
  );
  return visit.render({ ...frame, status: state.status, body });
}

function refusePicture(code: "invalid" | "quota"): AppError {
  const errors = [{ pointer: "/picture", code, message: "cannot be taken" }];
  return new AppError("invalid", "The picture cannot be taken", { errors });
}

/** Stores the picture of a form, if there is one. Resolves with its ID. */
async function takePicture(
  { chat }: Parts,
  user: Parameters<Chat["attachments"]["addByUser"]>[0],
  { files }: SentForm,
): Promise<string[]> {
  const { picture } = files;
  if (picture === undefined || picture.size === 0) return [];
  if (!imageMediaTypes.some((type) => type === picture.type)) throw refusePicture("invalid");
  const bytes = new Uint8Array(await picture.arrayBuffer());
  try {
    return [(await chat.attachments.addByUser(user, bytes)).id];
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") throw refusePicture("quota");
    throw error;
  }
}

async function findOrderId({ orders }: Parts, { id }: ShopUser, number: string | undefined) {
  if (number === undefined) return undefined;
  return (await orders.getByNumber(number, { userId: id })).order.id;
}

export function addChatPage(pages: PageRoutes, parts: Parts): void {
  const { chat, userCheck } = parts;
  pages.addPublic({
    path: PATH,
    show: (visit, state) => show(parts, visit, state),
    actions: {
      "": {
        submit: async (visit, form) => {
          const { c } = visit;
          const user = await getUser(userCheck, c.req.raw);
          const { body = "", clientId, productId, orderNumber } = form.values;
          const hasPicture = (form.files["picture"]?.size ?? 0) > 0;
          // All else is looked at before the picture is kept.
          const message = parseInput(newMessageSchema, {
            body: body.trim(),
            clientId,
            attachments: hasPicture ? [ANY_PICTURE] : [],
            productId,
            orderId: await findOrderId(parts, user, orderNumber),
          });
          const attachments = await takePicture(parts, user, form);
          await chat.post.byUser(user, {
            ...message,
            attachments,
            readAddresses: () => userCheck.readAddresses(c.req.raw),
          });
          return c.redirect(PATH, 303);
        },
      },
    },
  });
}
