/** The groups of the routes in the order of Swagger UI: customers first, administrators after them. */
import type { RouteScope, TagNouns } from "../../records/rights/route-scopes.ts";

export const shopGroups: Readonly<Record<string, string>> = {
  catalogue: "Products on sale, in lists and one by one; collections.",
  images: "Pictures of products.",
  site: "What a page of the shop must know: name, announcement, categories, ways to pay.",
  checkout: "Prices of a cart, and ordering it.",
  orders: "One's own orders, by account or by the token of an order.",
  downloads: "Files that were bought, by links of an order.",
  withdrawals: "Withdrawing from an order, in two steps and without a sign-in.",
  "demo payment": "A page that pays nothing, to try the shop with.",
  webhooks: "Payment notices of the providers.",
  wishlist: "Wishes, and links that end mails about them.",
  chat: "The customer's side of the support chat.",
  console: "Signing in to the console of administrators.",
  "admin products": "Products, stock, licence keys, pictures, import and export.",
  "admin categories": "Categories as a tree, and collections picked by hand or by a rule.",
  "admin files": "Files that are sold: uploads, versions, terms, and who downloaded what.",
  "admin coupons": "Coupons, their limits and uses.",
  "admin orders": "All orders: paying by hand, delivering, cancelling, refunding.",
  "admin shipping": "Ways to send goods, and what they cost.",
  "admin invoices": "Invoices and credit notes: lists, documents, export.",
  "admin withdrawals": "Withdrawals that wait, and what becomes of each.",
  "admin payments": "Payment notices, and those that wait for a person.",
  "admin chat": "The shop's side of the support chat.",
  "admin site": "Texts, categories, limits and payment providers.",
  "admin customers": "Who ordered, notes, blocks, one person's data, and making it anonymous.",
  "admin webhooks": "Where events of orders and stock are sent, their secrets, and what was sent.",
  "admin mails": "The words of mails: what they say, previews, and samples to oneself.",
  "admin api keys": "API keys for programs that administer this service.",
  smtp: "The mail server and the outbox, for administrators.",
  audit: "Audit log of administrator actions, with a tamper-evident hash chain.",
  "admin operation": "The administrator token, figures of sales and the state of the system.",
  operation: "What the shop is, and how it fares.",
};

/** The noun of the scope that opens the admin routes of each group. */
export const shopNouns = {
  "admin api keys": "administrator",
  "admin products": "products",
  "admin categories": "products",
  "admin files": "products",
  "admin coupons": "products",
  "admin orders": "orders",
  "admin withdrawals": "orders",
  "admin payments": "orders",
  "admin operation": "orders",
  "admin invoices": "invoices",
  "admin customers": "customers",
  "admin chat": "chat",
  "admin shipping": "shop-settings",
  "admin site": "shop-settings",
  "admin webhooks": "shop-settings",
  "admin mails": "shop-settings",
  smtp: "shop-settings",
  audit: "shop-settings",
} as const satisfies TagNouns<"shop">;

/** What staff do all day: it needs no fresh proof unless its route says so. */
export const shopDailyWork: ReadonlySet<RouteScope> = new Set([
  "orders:write",
  "products:write",
  "invoices:write",
  "customers:write",
  "chat:write",
]);
