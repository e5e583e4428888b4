/** @jsxImportSource hono/jsx */
/** The page of a payment link: the buyer checks an order that staff prepared, accepts it, and goes on to the payment. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { toAppError } from "../../../kit/http/problem.ts";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import type { SentForm } from "../../../html/sent-form.ts";
import type { BuyersDraft, DraftPlacing } from "../../draft-orders/placing.ts";
import { type OrderChange, orderChangeSchema } from "../../orders/schema.ts";
import { listOnPages } from "../../payments/services/offered.ts";
import { toNext } from "../checkout/checkout.tsx";
import type { OrderCookie } from "../order/order-cookie.ts";
import { readNumber } from "../order/open-order.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { PayPage, ShutPayPage } from "./pay-page.tsx";

interface Parts {
  readonly draftPlacing: DraftPlacing;
  readonly orderCookie: OrderCookie;
  readonly buyingHead: string;
}

type State = FormState & { readonly status: FormStatus };

/** What is wrong with a draft that cannot be opened. */
const shut: Readonly<Record<string, "none" | "expired" | "unavailable">> = {
  not_found: "none",
  link_expired: "expired",
  invalid: "unavailable",
  quantity_limit: "unavailable",
  coupon_invalid: "unavailable",
};

/** Keeps the token of a link, and shows the draft without it in the address. */
function enterByLink(
  { orderCookie }: Parts,
  { c }: Visit,
  { number, token }: { number: string; token: string },
) {
  orderCookie.keep(c, number, token);
  c.header("cache-control", "no-store");
  return c.redirect(`/pay/${number}`, 303);
}

function showOpen(
  visit: Visit,
  { found, state, changes }: { found: BuyersDraft; state: State; changes: readonly OrderChange[] },
  { buyingHead }: Parts,
): Promise<Response> | Response {
  const { t, site } = visit;
  const providers = listOnPages(site, site.currency);
  return visit.render({
    title: t("offer.title"),
    status: state.status,
    head: buyingHead,
    body: <PayPage view={{ visit, state, found, providers, changes }} />,
  });
}

async function showPay(
  visit: Visit,
  state: State,
  { changes = [], ...parts }: Parts & { readonly changes?: readonly OrderChange[] },
): Promise<Response> {
  const { c, t } = visit;
  const number = readNumber(visit);
  const sent = c.req.query("token");
  if (sent !== undefined && c.req.method === "GET") return enterByLink(parts, visit, { number, token: sent });
  const token = parts.orderCookie.find(c, number) ?? "";
  try {
    const found = await parts.draftPlacing.open(number, token, c.var.clientAddress);
    const { order, orderToken } = found;
    if (order === undefined) return await showOpen(visit, { found, state, changes }, parts);
    if (orderToken !== undefined) parts.orderCookie.keep(c, order.number, orderToken);
    return c.redirect(`/orders/${order.number}`, 303);
  } catch (error) {
    const reason = shut[toAppError(error).code];
    if (reason === undefined) throw error;
    const body = <ShutPayPage visit={visit} reason={reason} />;
    const status = reason === "unavailable" ? 409 : 404;
    return visit.render({ title: t(`offer.${reason}`), narrow: true, status, body });
  }
}

const shownSchema = z.object({
  version: z.coerce.number().int().min(1),
  expectedTotal: z.coerce.number().int().min(0),
});

async function submit(visit: Visit, { values }: SentForm, parts: Parts): Promise<Response> {
  const { c } = visit;
  const number = readNumber(visit);
  const token = parts.orderCookie.find(c, number) ?? "";
  const shown = shownSchema.safeParse(values);
  if (!shown.success) throw new AppError("conflict", "The page showed no price. Reload it and try again");
  const consents = {
    digitalContent: values["consents.digitalContent"] !== undefined,
    terms: values["consents.terms"] !== undefined,
  };
  const { paymentMethod } = values;
  const { clientAddress } = c.var;
  const accepted = { number, token, ...shown.data, consents, paymentMethod, clientAddress };
  const { order, orderToken, payment } = await parts.draftPlacing.accept(accepted);
  parts.orderCookie.keep(c, order.number, orderToken);
  return c.redirect(toNext(order.number, payment), 303);
}

/** Adds /pay/{number}. */
export function addPayPage(pages: PageRoutes, parts: Parts): void {
  pages.addPublic({
    path: "/pay/:number",
    show: (visit, state) => showPay(visit, state, parts),
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          try {
            return await submit(visit, form, parts);
          } catch (error) {
            const known = toAppError(error);
            if (known.code !== "version_conflict" && known.code !== "price_changed") throw error;
            const changes = z.array(orderChangeSchema).catch([]).parse(known.details["changes"]);
            const faults = [{ text: visit.t("offer.changedText") }];
            const state = { action: "", values: form.values, faults, status: 409 } as const;
            return showPay(visit, state, { ...parts, changes });
          }
        },
      },
    },
  });
}
