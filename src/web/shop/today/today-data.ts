/** Open tasks of administrators, each with the page that handles it. */
import type { Today } from "../../../shop/operation/answer-schema.ts";

export type Sums = Today["today"];
export type Waiting = keyof Today["waiting"];
export type SetupStep = keyof Today["setup"]["steps"];
type SetupGap = Today["setup"]["missing"][number];

/** In the order in which they are taken. */
export const setupSteps: readonly SetupStep[] = ["site", "product", "provider", "order"];

/** Whether all steps are taken. */
export function isSetUp({ steps }: Today["setup"]): boolean {
  return setupSteps.every((step) => steps[step]);
}

/** Where a step is taken; the order is placed in the shop itself. */
export const stepPlaces: Readonly<Record<SetupStep, string>> = {
  site: "/admin/site",
  product: "/admin/products/new",
  provider: "/admin/providers",
  order: "/",
};

/** Where something that is missing is added. */
export const gapPlaces: Readonly<Record<SetupGap, string>> = {
  demo_on: "/admin/providers",
  real_provider: "/admin/providers",
  mail_server: "/admin/mail",
  owner_address: "/admin/mail",
  seller_address: "/admin/shipping?tab=seller",
  page_imprint: "/admin/site?tab=pages",
  page_terms: "/admin/site?tab=pages",
  page_privacy: "/admin/site?tab=pages",
  page_withdrawal: "/admin/site?tab=pages",
  public_https: "/admin/system",
  backups: "/admin/system",
  closed: "/admin/site?tab=selling",
};

/** Tasks by urgency: the page that handles each, and whether it is an error. */
export const waitingPlaces: readonly (readonly [what: Waiting, place: string, isBad: boolean])[] = [
  ["needAttention", "/admin/orders?attention=any", true],
  ["openNotices", "/admin/payments", true],
  ["mailsFailed", "/admin/mail", true],
  ["webhooksFailing", "/admin/webhooks", true],
  ["toDeliver", "/admin/orders?status=to_deliver", false],
  ["withdrawals", "/admin/withdrawals", false],
  ["unreadChats", "/admin/chat", false],
  ["lowStock", "/admin/stock?low=true", false],
];
