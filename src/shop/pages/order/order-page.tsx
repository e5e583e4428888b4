/** @jsxImportSource hono/jsx */
/** The page of an order. */
import { Form, FormFaults } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import { toAddressRows } from "../../base/address-formats.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { History } from "../../chat/chat.ts";
import { isEuOn } from "../../eu/schema.ts";
import { findEuWords } from "../../eu/words.ts";
import type { InvoiceRecord } from "../../invoices/schema.ts";
import { awaitsPayment } from "../../orders/order.ts";
import type { BuyersOrder } from "../../orders/orders.ts";
import type { Address } from "../../orders/schema.ts";
import type { Reviewable } from "../../reviews/reviews.ts";
import type { Provider } from "../../site/schema.ts";
import { GuestConversation } from "../contact/guest-conversation.tsx";
import { nameCountry } from "../pieces/countries.ts";
import type { BuyersLicense } from "../../licenses/order-licenses.ts";
import type { ShownSubscription } from "../../renewals/subscriptions.ts";
import type { Visit } from "../visit.tsx";
import { AddressPart } from "./address-part.tsx";
import { CostPart, GoodsPart } from "./goods-part.tsx";
import { type OrderWords, toMark, toOrderWords, toWithdrawnWords } from "./order-words.ts";
import { SubscriptionPart } from "./subscription-part.tsx";
import { PaymentPart } from "./payment-part.tsx";
import { ReviewPart } from "./review-part.tsx";

/** Where the form of a question about the order goes. */
export const QUESTION_ACTION = "/question";

export interface OrderDocument extends Pick<InvoiceRecord, "number" | "kind"> {
  readonly html: string;
  readonly pdf: string;
  /** Only of e-invoices. */
  readonly xrechnung: string | undefined;
}

export interface OrderView {
  readonly visit: Visit;
  readonly state: FormState;
  readonly found: BuyersOrder;
  /** By the key's ID; absent without any. */
  readonly licenses: ReadonlyMap<string, BuyersLicense> | undefined;
  readonly reviewable: readonly Reviewable[];
  /** That it began, or renews. */
  readonly subscriptions: readonly ShownSubscription[];
  readonly documents: readonly OrderDocument[];
  readonly providers: readonly Provider[];
  /** What its buyer asked; undefined where they write in the chat of their account. */
  readonly questions: History | undefined;
  readonly box: ShopDeps["box"];
  /** Something was done just now. */
  readonly done: string | undefined;
}

type Part = { readonly view: OrderView };
type Html = ReturnType<typeof Head>;

function Tag({ words }: { readonly words: OrderWords }) {
  return <span class={words.tone === "plain" ? "tag push" : `tag is-${words.tone} push`}>{words.tag}</span>;
}

function Head({ view: { visit, found, done } }: Part) {
  const { t, time } = visit;
  const { order, stated, left } = found;
  const words = toOrderWords(order, visit, stated.length > 0 && left.length === 0);
  const told = done === undefined ? undefined : t.find(`order.done.${done}`);
  return (
    <div class="stack is-tight">
      <div class="row">
        <h1>{words.title}</h1>
        <Tag words={words} />
      </div>
      <p>{words.text}</p>
      <p class="muted num">
        {t("order.facts", { number: order.number, time: time(order.createdAt), email: order.email })}
      </p>
      {told === undefined ? (
        <></>
      ) : (
        <p class="note is-good" role="status">
          {told}
        </p>
      )}
    </div>
  );
}

function Withdrawals({ view: { visit, found } }: Part): Html {
  const { t, time } = visit;
  return (
    <>
      {found.stated.map((each) => (
        <div class="note">
          <p>
            {t(each.state === "declined" ? "order.withdrawalDeclined" : "order.withdrawalReceived", {
              time: time(each.receivedAt),
            })}
          </p>
          <p class="pre-line">{toWithdrawnWords(each, found.order, visit)}</p>
        </div>
      ))}
    </>
  );
}

function Parcel({ view: { visit, found } }: Part): Html {
  const { t, time } = visit;
  const { shipment } = found.order;
  if (shipment === undefined) return <></>;
  const { carrier, trackingNumber, trackingUrl, shippedAt } = shipment;
  return (
    <section class="stack is-tight">
      <h2>{t("order.parcel")}</h2>
      <p>
        {[carrier, trackingNumber].filter((text) => text !== "").join(" ")}{" "}
        {shippedAt === undefined ? "" : t("order.shippedAt", { time: time(shippedAt) })}
      </p>
      {/^https?:\/\//u.test(trackingUrl) ? (
        <p>
          <a href={trackingUrl} rel="noreferrer">
            {t("order.track")}
          </a>
        </p>
      ) : (
        <></>
      )}
    </section>
  );
}

function Place({
  title,
  address,
  visit,
  children,
}: {
  title: string;
  address: Address | undefined;
  visit: Visit;
  children?: Html;
}): Html {
  if (address === undefined) return <></>;
  const rows = [...toAddressRows(address), nameCountry(address.country, visit.language)];
  return (
    <section class="stack is-tight">
      <h2>{title}</h2>
      <p class="pre-line">{rows.join("\n")}</p>
      {children ?? <></>}
    </section>
  );
}

function Documents({ view: { visit, documents } }: Part): Html {
  const { t } = visit;
  return (
    <>
      {documents.map(({ kind, number, html, pdf, xrechnung }) => (
        <span class="row">
          <a class="button" href={pdf}>
            {t(kind === "invoice" ? "order.invoice" : "order.creditNote", { number })}
          </a>
          <a class="small" href={html}>
            {t("order.viewOnline")}
          </a>
          {xrechnung === undefined ? (
            <></>
          ) : (
            <a class="small" href={xrechnung}>
              XRechnung (XML)
            </a>
          )}
        </span>
      ))}
    </>
  );
}

function Confirm({ view: { visit, found } }: Part): Html {
  const { t, formToken } = visit;
  const { number, status } = found.order;
  if (status !== "delivered") return <></>;
  return (
    <Form action={`/orders/${number}/confirm`} token={formToken} class="row">
      <button class="button primary" type="submit">
        {t("order.confirm")}
      </button>
    </Form>
  );
}

function Ends({ view: { visit, found } }: Part): Html {
  const { t, site, formToken, time } = visit;
  const { order, withdrawal } = found;
  const path = `/orders/${order.number}`;
  const words = findEuWords(visit.language);
  const endsAt = withdrawal?.endsAt;
  return (
    <>
      {isEuOn(site) && withdrawal?.isOpen === true && order.status !== "pending_payment" ? (
        <span class="stack is-tight">
          <a class="button" href={`/withdraw?order=${order.number}`}>
            {words.withdraw}
          </a>
          {/* The last minute of the last day: midnight would be read as the day after. */}
          {endsAt === undefined ? (
            <></>
          ) : (
            <span class="small muted">{t("order.withdrawUntil", { time: time(endsAt - 1) })}</span>
          )}
        </span>
      ) : (
        <></>
      )}
      {order.status === "pending_payment" ? (
        <Form action={`${path}/cancel`} token={formToken} class="row">
          <button class="button" type="submit">
            {t("order.cancel")}
          </button>
        </Form>
      ) : (
        <></>
      )}
    </>
  );
}

/** Where a buyer asks, with or without an account. */
function Questions({ view }: Part): Html {
  const { visit, found, state, questions, box } = view;
  const { t } = visit;
  const { number, email } = found.order;
  const path = `/orders/${number}`;
  if (questions === undefined)
    return (
      <p class="no-print">
        <a href={`/chat?order=${number}`}>{t("order.askInChat")}</a>
      </p>
    );
  const own = stateOf(state, QUESTION_ACTION);
  const isOpen = questions.items.length > 0 || own.action !== undefined;
  return (
    <details class="more no-print" id="questions" open={isOpen}>
      <summary>{t("order.ask")}</summary>
      <GuestConversation
        visit={visit}
        state={own}
        history={questions}
        box={box}
        path={path}
        action={path + QUESTION_ACTION}
        hint={t("contact.replyHint", { email })}
      />
    </details>
  );
}

/** The shop's email address, for those who prefer it. */
function ContactEmail({ view: { visit, found } }: Part) {
  const { t, site } = visit;
  const { email } = site.contact;
  if (email === "") return <></>;
  const [before = "", after = ""] = t("order.questions", { email: "\n" }).split("\n");
  const subject = encodeURIComponent(t("order.title", { number: found.order.number }));
  return (
    <p class="muted no-print">
      {before}
      <a href={`mailto:${email}?subject=${subject}`}>{email}</a>
      {after}
    </p>
  );
}

/** When a service charges the order by itself; undefined once it could not, or where it does not. */
function toChargedAt({ found: { order }, subscriptions }: OrderView): number | undefined {
  const [line] = order.lines;
  if (line?.renewal === undefined || order.begun !== undefined) return undefined;
  const { subscription } = subscriptions[0] ?? {};
  return subscription?.way === "automatic" && subscription.state === "active" ? line.renewal.from : undefined;
}

export function OrderPage({ view }: Part): Html {
  const { visit, state, found, providers } = view;
  const { t } = visit;
  const { order, payment } = found;
  const path = `/orders/${order.number}`;
  // An order that waits for money may be paid any moment: a script looks.
  const wait = awaitsPayment(order) ? `${path}/state` : undefined;
  return (
    <div class="order-page stack" data-wait={wait} data-was={toMark(order)}>
      <Head view={view} />
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Withdrawals view={view} />
      {payment === undefined ? (
        <></>
      ) : (
        <PaymentPart
          visit={visit}
          state={state}
          payment={payment}
          providers={providers}
          path={path}
          isBalance={order.balanceDue !== undefined}
          chargedAt={toChargedAt(view)}
        />
      )}
      <GoodsPart visit={visit} found={found} licenses={view.licenses} />
      <CostPart visit={visit} found={found} />
      {view.subscriptions.map((one) => (
        <SubscriptionPart visit={visit} number={order.number} found={one} />
      ))}
      <div class="cards">
        <Parcel view={view} />
        <Place title={t("order.sentTo")} address={order.shippingAddress} visit={visit}>
          <AddressPart visit={visit} state={state} order={order} />
        </Place>
        <Place title={t("order.billedTo")} address={order.billingAddress} visit={visit} />
      </div>
      {order.note === "" ? <></> : <p class="pre-line muted">{order.note}</p>}
      <div class="row order-actions no-print">
        <Confirm view={view} />
        <Documents view={view} />
        <Ends view={view} />
      </div>
      <ReviewPart visit={visit} number={order.number} items={view.reviewable} state={state} />
      <Questions view={view} />
      <ContactEmail view={view} />
    </div>
  );
}
