/** The groups of the routes in the order of Swagger UI: customers first, administrators after them. */
import type { RouteScope, TagNouns } from "../../records/rights/route-scopes.ts";

export const shopGroups: Readonly<Record<string, string>> = {
  catalogue: "Published products and collections.",
  images: "Images of products.",
  site: "Public information about the shop: name, announcement, categories and payment methods.",
  checkout: "Cart prices and checkout.",
  orders: "The buyer's orders, by account or by order token.",
  downloads: "Downloads of purchased files.",
  licenses: "License keys for programs: activate, validate, deactivate.",
  withdrawals: "Withdrawal from an order, in two steps and without sign-in.",
  "demo payment": "Demo payment page for testing the shop.",
  webhooks: "Webhooks for payment notifications from payment providers.",
  wishlist: "Wishlist, and unsubscribe links for its emails.",
  chat: "Support chat for customers.",
  console: "Sign-in to the console.",
  "admin products": "Administration of products: stock, license keys, images, import and export.",
  "admin imports": "Imports from other shops: trial, progress, pictures, undo.",
  "admin categories": "Administration of the category tree and of collections, manual or rule-based.",
  "admin files": "Administration of downloadable files: uploads, versions, terms and download counts.",
  "admin coupons": "Administration of coupons, their limits and uses.",
  "admin orders": "Administration of orders: manual payments, fulfillment, cancellation and refunds.",
  "admin draft orders":
    "Administration of draft orders: orders that staff prepare, payment links and invoices.",
  "admin shipping": "Administration of shipping methods and their rates.",
  "admin invoices": "Administration of invoices and credit notes: lists, documents and export.",
  "admin withdrawals": "Administration of withdrawals.",
  "admin payments": "Administration of payment notifications and those that need review.",
  "admin chat": "Support chat for administrators.",
  "admin site": "Administration of the site settings and payment providers.",
  "admin customers": "Administration of customers: notes, blocks, data export and anonymization.",
  "admin webhooks": "Administration of outgoing webhooks: endpoints, secrets and deliveries.",
  "admin mails": "Administration of email templates: text, previews and test emails.",
  "admin api keys": "API keys for programs that administer this service.",
  smtp: "Administration of the mail server and the outbox.",
  audit: "Audit log of administrator actions, with a tamper-evident hash chain.",
  "admin operation": "Administrator token check, sales statistics and system status.",
  operation: "Service information and health.",
};

/** The noun of the scope that opens the admin routes of each group. */
export const shopNouns = {
  "admin api keys": "administrator",
  "admin products": "products",
  "admin imports": "products",
  "admin categories": "products",
  "admin files": "products",
  "admin coupons": "products",
  "admin orders": "orders",
  "admin draft orders": "orders",
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

/** Daily work of staff: it needs no fresh verification unless its route says so. */
export const shopDailyWork: ReadonlySet<RouteScope> = new Set([
  "orders:write",
  "products:write",
  "invoices:write",
  "customers:write",
  "chat:write",
]);
