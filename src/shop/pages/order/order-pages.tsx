/** @jsxImportSource hono/jsx */
/** The page of an order: its state, its payment, what was handed over, and what its buyer may do with it. */
import type { ServiceApp } from "../../../kit/http/app.ts";
import { PAGE_POLICY } from "../../../kit/http/security-headers.ts";
import { AppError } from "../../../kit/errors.ts";
import { escapeHtml } from "../../../kit/text/html.ts";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus, PageRoute } from "../../../html/form-pages.ts";
import { parseInput } from "../../../html/sent-form.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { type InvoiceFormat, hasXRechnung, listOfOrder, toDocumentUrl } from "../../invoices/invoices.ts";
import type { Chat } from "../../chat/chat.ts";
import { guestMessageSchema } from "../../chat/question-routes.ts";
import { toOrderConversationId } from "../../chat/questions.ts";
import type { OrderLicenses } from "../../licenses/order-licenses.ts";
import { toAttachmentDisposition } from "../../downloads/content-disposition.ts";
import type { OrderEdits } from "../../order-edits/edits.ts";
import { addressChangeSchema } from "../../order-edits/schema.ts";
import { amountDueOf } from "../../orders/order.ts";
import type { Orders } from "../../orders/orders.ts";
import type { Payment } from "../../orders/payment.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import type { Subscriptions } from "../../renewals/subscriptions.ts";
import type { OrderWatch } from "../../orders/watch.ts";
import type { Reviews } from "../../reviews/reviews.ts";
import { reviewInputSchema } from "../../reviews/schema.ts";
import type { PaymentStarts } from "../../payments/services/begin.ts";
import { listOnPages } from "../../payments/services/offered.ts";
import { toAddress } from "../checkout/sent-checkout.ts";
import { QUESTION, questionFields, readGuestHistory } from "../contact/guest-conversation.tsx";
import type { PageRoutes } from "../page.ts";
import type { Visit, Visits } from "../visit.tsx";
import { ADDRESS_ACTION } from "./address-part.tsx";
import { type OpenOrder, type OrderDoor, openOrder, readNumber } from "./open-order.ts";
import { DEVICE_ACTION } from "./license-part.tsx";
import { type OrderDocument, OrderPage, QUESTION_ACTION } from "./order-page.tsx";
import { toMark } from "./order-words.ts";
import { REVIEW_ACTION, REVIEW_DELETE_ACTION, reviewFields } from "./review-part.tsx";
import { LeavingPage, PaymentStatePage, ShutPage } from "./other-pages.tsx";

interface Parts extends OrderDoor, Pick<ShopDeps, "store" | "box"> {
  readonly app: ServiceApp;
  readonly visits: Pick<Visits, "open">;
  readonly orders: Orders;
  readonly orderEdits: OrderEdits;
  readonly orderLicenses: OrderLicenses;
  readonly reviews: Reviews;
  readonly subscriptions: Pick<Subscriptions, "ofOrder">;
  readonly chat: Chat;
  readonly starts: PaymentStarts;
  readonly watch: OrderWatch;
  readonly hasAccounts: boolean;
  readonly buyingHead: string;
}

const PATH = "/orders/:number";
/** How long a script waits for a change, and how often a page without one looks. */
const WAIT_MS = 20_000;
const LOOK_SECONDS = 8;

async function listDocuments({ store, box }: Parts, order: OrderRecord): Promise<OrderDocument[]> {
  const found = await store.read((tx) => listOfOrder(tx, order.id));
  return found.map((invoice) => {
    const { id, number, kind } = invoice;
    const key = { invoiceId: id, tokenRenewals: order.tokenRenewals };
    const toUrl = (format: InvoiceFormat): string => toDocumentUrl({ box, publicUrl: "" }, key, format);
    const xrechnung = hasXRechnung(invoice) ? toUrl("xrechnung") : undefined;
    return { number, kind, xrechnung, html: toUrl("html"), pdf: toUrl("pdf") };
  });
}

/** Reloads by itself without scripts; only for pages that wait for a payment. */
function toRefresh(path: string): string {
  return `<noscript><meta http-equiv="refresh" content="${LOOK_SECONDS}; url=${escapeHtml(path)}"/></noscript>`;
}

/** Keeps the token of a link, and shows the order without it in the address. */
async function enterByLink(parts: Parts, visit: Visit, token: string): Promise<Response> {
  const number = readNumber(visit);
  const { c } = visit;
  const access = { orderToken: token, isForPayment: true };
  const isGood = await parts.orders.getByNumber(number, access).then(
    () => true,
    () => false,
  );
  if (isGood) parts.orderCookie.keep(c, number, token);
  c.header("cache-control", "no-store");
  return c.redirect(`/orders/${number}?from=${isGood ? "link" : "nowhere"}`, 303);
}

async function showOpen(
  parts: Parts,
  visit: Visit,
  {
    found,
    state,
  }: Pick<OpenOrder, "found"> & { readonly state: FormState & { readonly status: FormStatus } },
): Promise<Response> {
  const { c, site } = visit;
  const { order, payment } = found;
  const isWaiting = order.status === "pending_payment" && c.req.query("wait") !== undefined;
  allowPosting(visit, payment);
  const documents = await listDocuments(parts, order);
  const isLicensed = order.lines.some(({ license }) => license !== undefined);
  const licenses = isLicensed ? await parts.orderLicenses.list(order.id) : undefined;
  const reviewable = await parts.reviews.listOfOrder(order);
  const providers = listOnPages(site, order.currency, amountDueOf(order));
  const isRenewing = order.lines.some(({ license, renewal }) => renewal ?? license?.renewal);
  const subscriptions = isRenewing ? await parts.subscriptions.ofOrder(order) : [];
  const done = c.req.method === "GET" ? c.req.query("done") : undefined;
  const isGuests = order.userId === undefined || !parts.hasAccounts;
  const questions = isGuests
    ? await readGuestHistory(parts.chat, toOrderConversationId(order.id), visit)
    : undefined;
  return visit.render({
    title: visit.t("order.title", { number: order.number }),
    status: state.status,
    head: parts.buyingHead + (isWaiting ? toRefresh(`/orders/${order.number}?wait=1`) : ""),
    body: (
      <OrderPage
        view={{
          visit,
          state,
          found,
          licenses,
          reviewable,
          subscriptions,
          documents,
          providers,
          done,
          questions,
          box: parts.box,
        }}
      />
    ),
  });
}

/** A payment that is a form at its service: this page may send it there. */
function allowPosting({ c }: Visit, payment: Payment | undefined): void {
  if (payment?.form === undefined) return;
  const { origin } = new URL(payment.form.url);
  c.header(
    "content-security-policy",
    PAGE_POLICY.replace("form-action 'self'", `form-action 'self' ${origin}`),
  );
}

async function showOrder(
  parts: Parts,
  visit: Visit,
  state: FormState & { readonly status: FormStatus },
): Promise<Response> {
  const token = visit.c.req.query("token");
  if (token !== undefined && visit.c.req.method === "GET") return enterByLink(parts, visit, token);
  const opened = await openOrder(parts, visit);
  if (opened.found === undefined) {
    const body = <ShutPage visit={visit} isAway={opened.isAway} hasAccounts={parts.hasAccounts} />;
    return visit.render({
      title: visit.t("order.noAccess"),
      narrow: true,
      status: opened.isAway ? 503 : 404,
      body,
    });
  }
  const { found, isForPayment } = opened;
  if (!isForPayment) return showOpen(parts, visit, { found, state });
  const { order } = found;
  return visit.render({
    title: visit.t("order.title", { number: order.number }),
    narrow: true,
    status: state.status,
    head: parts.buyingHead + (order.status === "pending_payment" ? toRefresh(`/orders/${order.number}`) : ""),
    body: <PaymentStatePage visit={visit} order={order} />,
  });
}

/** An order that its buyer may do something with. */
async function getOpen(parts: Parts, visit: Visit): Promise<OpenOrder> {
  const opened = await openOrder(parts, visit);
  if (opened.found !== undefined && !opened.isForPayment) return opened;
  throw new AppError("not_found", "This order does not exist or is not yours");
}

/** The same, but not for an administrator in the buyer's place. */
async function getOwn(parts: Parts, visit: Visit): Promise<OpenOrder> {
  const opened = await getOpen(parts, visit);
  if (opened.access.isOwner !== false) return opened;
  throw new AppError("forbidden", "Only the buyer can do this");
}

/** Goes on to the payment service. A form may lead nowhere else, so this page of ours does. */
function addPayPage(pages: PageRoutes, parts: Parts): void {
  pages.addPublic({
    path: `${PATH}/pay`,
    show: async (visit) => {
      const { c } = visit;
      const number = readNumber(visit);
      const { found } = await openOrder(parts, visit);
      const payment = found?.payment;
      if (payment?.state !== "ready" || (payment.url === undefined && payment.form === undefined))
        return c.redirect(`/orders/${number}`, 303);
      allowPosting(visit, payment);
      if (payment.url !== undefined) c.header("refresh", `0; url=${payment.url}`);
      return visit.render({
        title: visit.t("pay.continue"),
        narrow: true,
        head: parts.buyingHead,
        body: <LeavingPage visit={visit} payment={payment} number={number} />,
      });
    },
  });
}

/** Long-polling for scripts: answered when the order changes, or after a while. */
function addStateRoute({ app, visits, watch, ...parts }: Parts): void {
  app.get(`${PATH}/state`, async (c) => {
    const visit = await visits.open(c);
    const read = async () => openOrder(parts, visit);
    const first = await read();
    c.header("cache-control", "no-store");
    if (first.found === undefined)
      throw new AppError("not_found", "This order does not exist or is not yours");
    const { id } = first.found.order;

    const before = c.req.query("was") ?? toMark(first.found.order);
    const find = async (): Promise<string | undefined> => {
      const { found } = await read();
      const now = found === undefined ? "" : toMark(found.order);
      return now === before ? undefined : now;
    };
    const options = { waitMs: WAIT_MS, signal: c.req.raw.signal, address: c.var.clientAddress };
    return c.json({ state: (await watch.until(id, find, options)) ?? before }, 200);
  });
}

/** The license file of a device. */
function addLicenseFileRoute({ app, visits, orderLicenses, ...parts }: Parts): void {
  app.get(`${PATH}/licenses/:device`, async (c) => {
    const visit = await visits.open(c);
    const { found } = await getOwn({ app, visits, orderLicenses, ...parts }, visit);
    const { name, content } = await orderLicenses.issueFile(found.order.id, c.req.param("device"));
    c.header("cache-control", "no-store");
    c.header("content-disposition", toAttachmentDisposition(name));
    return c.body(content, 200, { "content-type": "application/octet-stream" });
  });
}

const toDone = (visit: Visit, done: string): Response =>
  visit.c.redirect(`/orders/${readNumber(visit)}?done=${done}`, 303);

/** What a buyer does with reviews. */
function toReviewActions(parts: Parts): NonNullable<PageRoute<Visit>["actions"]> {
  const { reviews } = parts;
  return {
    [REVIEW_ACTION]: {
      fields: reviewFields,
      submit: async (visit, { values }) => {
        const { found } = await getOwn(parts, visit);
        const input = parseInput(reviewInputSchema, {
          stars: Number(values[reviewFields.stars]),
          title: values[reviewFields.title] ?? "",
          text: values[reviewFields.text] ?? "",
          author: values[reviewFields.author] ?? "",
        });
        await reviews.write(found.order, values["product"] ?? "", input);
        return toDone(visit, "reviewed");
      },
    },
    [REVIEW_DELETE_ACTION]: {
      submit: async (visit, { values }) => {
        const { found } = await getOwn(parts, visit);
        await reviews.remove(found.order, values["product"] ?? "");
        return toDone(visit, "reviewDeleted");
      },
    },
  };
}

/** Adds /orders/{number} with what its buyer may do there. */
export function addOrderPage(pages: PageRoutes, parts: Parts): void {
  const { orders, orderEdits, orderLicenses, starts, chat } = parts;
  pages.addPublic({
    path: PATH,
    show: (visit, state) => showOrder(parts, visit, state),
    actions: {
      "/cancel": {
        submit: async (visit) => {
          const { found, access } = await getOpen(parts, visit);
          await orders.cancel(found.order.id, access);
          return toDone(visit, "canceled");
        },
      },
      "/confirm": {
        submit: async (visit) => {
          const { found, access } = await getOpen(parts, visit);
          await orders.confirm(found.order.id, access);
          return toDone(visit, "confirmed");
        },
      },
      "/claim": {
        submit: async (visit) => {
          const { found, access } = await getOpen(parts, visit);
          await orders.claimPayment(found.order.id, access, "");
          return toDone(visit, "claimed");
        },
      },
      [ADDRESS_ACTION]: {
        submit: async (visit, { values }) => {
          const { found, access } = await getOpen(parts, visit);
          const country = found.order.shippingAddress?.country ?? "";
          const typed = { shippingAddress: toAddress(values, "shippingAddress", country) };
          const { shippingAddress } = parseInput(addressChangeSchema, typed);
          await orderEdits.changeAddress(found.order.id, access, shippingAddress);
          return toDone(visit, "readdressed");
        },
      },
      [DEVICE_ACTION]: {
        submit: async (visit, { values }) => {
          const { found } = await getOwn(parts, visit);
          await orderLicenses.deactivate(found.order.id, values["device"] ?? "");
          return toDone(visit, "deactivated");
        },
      },
      ...toReviewActions(parts),
      [QUESTION_ACTION]: {
        fields: questionFields,
        submit: async (visit, { values }) => {
          const { found } = await getOpen(parts, visit);
          const { clientId } = values;
          const message = parseInput(guestMessageSchema, { body: values[QUESTION] ?? "", clientId });
          const { language } = visit;
          await chat.questions.askAboutOrder(found.order, { ...message, clientId, language });
          return visit.c.redirect(`/orders/${readNumber(visit)}?done=asked#questions`, 303);
        },
      },
      "/payment": {
        fields: { paymentMethod: "method" },
        submit: async (visit, { values }) => {
          const { found } = await getOpen(parts, visit);
          const { clientAddress } = visit.caller;
          const { payment } = await starts.again(found.order.id, { method: values["method"], clientAddress });
          const number = readNumber(visit);
          const leads = payment?.url !== undefined || payment?.form !== undefined;
          return visit.c.redirect(leads ? `/orders/${number}/pay` : `/orders/${number}`, 303);
        },
      },
    },
  });
  addPayPage(pages, parts);
  addStateRoute(parts);
  addLicenseFileRoute(parts);
}
