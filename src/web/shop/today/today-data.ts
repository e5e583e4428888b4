/** What GET /api/admin/today answers, and where each thing that waits is dealt with. */
import type { OrderStatus } from "../../../shop/orders/schema.ts";

/** Of some days. */
export interface Sums {
  readonly orders: number;
  readonly paidOrders: number;
  /** Minor units. */
  readonly revenue: number;
}

export const setupSteps = ["site", "product", "provider", "order"] as const;
export type SetupStep = (typeof setupSteps)[number];

export type SetupGap =
  | ("demo_on" | "real_provider" | "mail_server" | "owner_address" | "seller_address")
  | ("page_imprint" | "page_terms" | "page_privacy" | "page_withdrawal")
  | ("public_https" | "backups" | "closed");

export type Waiting =
  | ("toDeliver" | "needAttention" | "openNotices" | "withdrawals" | "unreadChats")
  | ("lowStock" | "mailsFailed" | "webhooksFailing");

export interface TodayView {
  readonly currency: string;
  readonly today: Sums;
  readonly days7: Sums;
  readonly days30: Sums;
  readonly waiting: Readonly<Record<Waiting, number>>;
  readonly lastOrders: readonly {
    readonly id: string;
    readonly number: string;
    readonly email: string;
    readonly status: OrderStatus;
    readonly total: number;
    readonly currency: string;
    readonly createdAt: string;
  }[];
  readonly setup: {
    readonly steps: Readonly<Record<SetupStep, boolean>>;
    readonly missing: readonly SetupGap[];
  };
}

/** Whether all steps are taken. */
export function isSetUp({ steps }: TodayView["setup"]): boolean {
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

/** What waits, the most pressing first: where it is dealt with, and whether something went wrong. */
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
