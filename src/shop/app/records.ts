/** The shop's collections and indexes, declared once for every store. */
import { z } from "zod";
import { adminTokenCheckCollection } from "../../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../../records/audit-chain.ts";
import { outboxCollection } from "../../records/outbox-record.ts";
import { apiKeys } from "../../records/rights/schema.ts";
import type { SecretCheck } from "../../records/secret-check.ts";
import { consoleSessions } from "../../records/console-sessions.ts";
import { invoiceCounters, invoices } from "../invoices/collections.ts";
import { imageSizes } from "../images/size-records.ts";
import { importFaults, importFiles, importItems, importPictures, imports } from "../imports/records.ts";
import { redirects } from "../redirects/records.ts";
import { customerProfiles, customers } from "../customers/records.ts";
import { savedSearches } from "../order-search/records.ts";
import { webhookDeliveries, webhookEndpoints, webhookFailing } from "../webhooks-out/records.ts";
import { mailTemplates, mailTexts } from "../mails/records.ts";
import { pageVersions } from "../legal/records.ts";
import { prices } from "../prices/records.ts";
import { licenseSigningKeys } from "../licenses/records.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import { renewals, subscriptions } from "../subscriptions/records.ts";
import { withdrawals } from "../withdrawals/records.ts";
import { paymentSessions, refunds, notices } from "../payments/records.ts";
import { products, stock, secrets, views, productFiles } from "../products/records.ts";
import { dayViews, catalogueChanges } from "../catalogue/records.ts";
import { categories, collections } from "../categories/records.ts";
import { draftOrders } from "../draft-orders/records.ts";
import { orders } from "../orders/records.ts";
import { storedFiles, fileParts, downloadTerms, fileGrants, fileNotices } from "../files/records.ts";
import { idempotency } from "../checkout/records.ts";
import { coupons, couponUses } from "../coupons/records.ts";
import { reminderStops, reminders } from "../reminders/records.ts";
import { stockRequests, stockWaves } from "../stock-requests/records.ts";
import { giftCardEntries, giftCards } from "../gift-cards/records.ts";
import { ratings, reviewInvitations, reviews } from "../reviews/records.ts";
import { wishes } from "../wishlist/records.ts";
import { conversations, messages, attachments, chatHead } from "../chat/records.ts";
import { settings } from "../site/records.ts";

const secretFieldsSchema = z.object({ check: z.string().default(""), lookups: z.string().optional() });

/** The secret's fingerprint is a separate group of settings. */
export const shopSecretCheck: SecretCheck = {
  service: "shop",
  kept: "this shop was",
  sealed: "license keys, order tokens and credentials of payment providers",
  place: { collection: "settings", id: "secret", path: ["fields", "check"] },
  read: async (tx) => {
    const record = await tx.get(settings, "secret");
    return record && secretFieldsSchema.parse(record.fields);
  },
  write: async (tx, { check, lookups }) => {
    const before = await tx.get(settings, "secret");
    const fields = { check, ...(lookups === undefined ? {} : { lookups }) };
    if (before === undefined) await tx.insert(settings, { id: "secret", fields });
    else await tx.put(settings, { ...before, fields });
  },
};

export const shopCollections = [
  products,
  categories,
  collections,
  stock,
  prices,
  secrets,
  views,
  dayViews,
  catalogueChanges,
  orders,
  draftOrders,
  storedFiles,
  fileParts,
  productFiles,
  downloadTerms,
  fileGrants,
  fileNotices,
  idempotency,
  notices,
  paymentSessions,
  invoices,
  invoiceCounters,
  refunds,
  coupons,
  giftCards,
  giftCardEntries,
  reminders,
  reminderStops,
  stockRequests,
  stockWaves,
  couponUses,
  wishes,
  reviews,
  reviewInvitations,
  ratings,
  conversations,
  messages,
  attachments,
  chatHead,
  imageSizes,
  mailTemplates,
  mailTexts,
  withdrawals,
  licenses,
  devices,
  licenseSigningKeys,
  subscriptions,
  renewals,
  pageVersions,
  customers,
  customerProfiles,
  savedSearches,
  imports,
  importItems,
  importPictures,
  importFiles,
  importFaults,
  redirects,
  webhookEndpoints,
  webhookFailing,
  webhookDeliveries,
  settings,
  outboxCollection,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  apiKeys,
  consoleSessions,
];
