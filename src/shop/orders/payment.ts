/** How an order is to be paid: which provider, and where. */
import { fillTemplate } from "../../kit/text/placeholders.ts";
import { amountDueOf, awaitsPayment } from "./order.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toDecimal } from "../base/money.ts";
import type { Begun, OrderRecord } from "./schema.ts";
import { toPayToken } from "./token.ts";
import { toOrderTemplate } from "../site/page-urls.ts";
import { findProvider } from "../site/settings.ts";
import { wordsOfProvider } from "../site/site.ts";
import type { Provider, SiteSettings } from "../site/schema.ts";

/** Payment instructions for a buyer. */
export interface Payment {
  /** The provider's slug. */
  readonly method: string;
  readonly amount: number;
  readonly currency: string;
  /** The payment reference: the order's number. */
  readonly reference: string;
  /** "beginning" and "failed": there is nothing to pay at (yet); `message` says why. */
  readonly state: "ready" | "beginning" | "failed";
  readonly message?: string;
  readonly url?: string;
  /** Content of a QR code. */
  readonly qr?: string;
  /** A form that the buyer's browser posts. */
  readonly form?: { readonly url: string; readonly fields: Readonly<Record<string, string>> };
  readonly instructions?: string;
  readonly expiresAt: number;
}

/** Where a buyer goes after paying: the order's page. Payment services see it, so its token is that for payments. */
export function toReturnUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  { id, number }: Pick<OrderRecord, "id" | "number">,
  site: SiteSettings,
): string {
  const page = fillTemplate(toOrderTemplate(site), { orderId: id, number, token: () => toPayToken(box, id) });
  return page.startsWith("/") ? `${publicUrl}${page}` : page;
}

const failures = {
  unavailable:
    "The payment provider is unavailable. The shop retries automatically. You can also choose another payment method",
  refused: "The payment provider rejected this payment. Choose another payment method, or contact the shop",
  gone: "This payment method is no longer available. Choose another one",
} as const;

type Way = Pick<Payment, "state" | "message" | "url" | "qr" | "form">;

/** How it is paid, as the service answered when the payment began. */
function toWay({ kind, url = "", text, fields = {}, failure = "unavailable" }: Begun): Way {
  switch (kind) {
    case "beginning":
      return { state: "beginning", message: "The payment is being started. Reload in a moment" };
    case "failed":
      return { state: "failed", message: failures[failure] };
    case "form":
      return { state: "ready", form: { url, fields } };
    case "qr":
      return { state: "ready", qr: text, url: url || undefined };
    case "redirect":
    case "instructions":
    case "template":
      return { state: "ready", url: url || undefined };
  }
}

/** An address that is filled in with the order, for providers whose payments begin nowhere. */
function fillPayUrl(
  deps: Pick<ShopDeps, "box" | "publicUrl">,
  { order, site, template }: { order: OrderRecord; site: SiteSettings; template: string },
): Way {
  const { id, number, currency } = order;
  const amount = amountDueOf(order);
  const url = fillTemplate(template, {
    orderId: id,
    number,
    amount: toDecimal(amount, currency),
    amountMinor: String(amount),
    currency,
    token: () => toPayToken(deps.box, id),
    returnUrl: () => toReturnUrl(deps, order, site),
  });
  return { state: "ready", url: url.startsWith("/") ? `${deps.publicUrl}${url}` : url || undefined };
}

/** Payment instructions for an order; undefined if no payment is due. */
export function toPayment(
  deps: Pick<ShopDeps, "box" | "publicUrl">,
  order: OrderRecord,
  site: SiteSettings,
): Payment | undefined {
  if (!awaitsPayment(order)) return undefined;
  const provider = findProvider(site, order.paymentMethod);
  const { number, currency, begun } = order;
  const expiresAt = order.dueAt ?? order.expiresAt;
  const toOwnWay = ({ payUrlTemplate: template }: Provider): Way =>
    begun !== undefined && begun.kind !== "template"
      ? toWay(begun)
      : fillPayUrl(deps, { order, site, template });
  return {
    method: order.paymentMethod,
    amount: amountDueOf(order),
    currency,
    reference: number,
    // The provider of the payment was removed.
    ...(provider === undefined ? { state: "failed", message: failures.gone } : toOwnWay(provider)),
    instructions: (provider && wordsOfProvider(provider, order.language).instructions) || undefined,
    expiresAt: Math.min(expiresAt, begun?.expiresAt ?? expiresAt),
  };
}
