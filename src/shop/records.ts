/** The shop's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../records/audit-chain.ts";
import { outboxCollection } from "../records/outbox-record.ts";
import { apiKeys } from "../records/rights/schema.ts";
import type { SecretCheck } from "../records/secret-check.ts";
import { settingsRecordSchema } from "../records/settings.ts";
import { defineCollection } from "../store/store.ts";
import { categoryRecordSchema, collectionRecordSchema } from "./categories/schema.ts";
import { idempotencyRecordSchema } from "./checkout/schema.ts";
import { couponRecordSchema, couponUseRecordSchema } from "./coupons/schema.ts";
import { consoleSessions } from "../records/console-sessions.ts";
import { invoiceCounters, invoices } from "./invoices/collections.ts";
import { imageSizes } from "./images/size-records.ts";
import { ownerCollections } from "./owner-records.ts";
import { mailTemplates, mailTexts, pageVersions, prices, withdrawals } from "./law-records.ts";
import { orderRecordSchema } from "./orders/schema.ts";
import { paymentSessions, refunds } from "./payment-records.ts";
import { noticeRecordSchema } from "./payments/schema.ts";
import {
  catalogueChangeRecordSchema,
  dayViewRecordSchema,
  productRecordSchema,
  secretRecordSchema,
  stockRecordSchema,
  viewRecordSchema,
} from "./products/schema.ts";
import {
  downloadTermsRecordSchema,
  fileGrantRecordSchema,
  fileNoticeRecordSchema,
  filePartRecordSchema,
  productFileRecordSchema,
  storedFileRecordSchema,
} from "./files/schema.ts";
import { wishRecordSchema } from "./wishlist/schema.ts";
import {
  attachmentRecordSchema,
  chatHeadRecordSchema,
  conversationRecordSchema,
  messageRecordSchema,
} from "./chat/schema.ts";

export const products = defineCollection({
  name: "products",
  revision: 1,
  schema: productRecordSchema,
  unique: { bySlug: ["slug"] },
  ordered: { byStatus: ["status", "createdAt"], byUpdated: ["updatedAt"], byCategory: ["categoryId"] },
});

export const categories = defineCollection({
  name: "categories",
  revision: 1,
  schema: categoryRecordSchema,
  ordered: { byParent: ["parentId"] },
});

export const collections = defineCollection({
  name: "collections",
  revision: 1,
  schema: collectionRecordSchema,
});

export const stock = defineCollection({
  name: "stock",
  revision: 1,
  schema: stockRecordSchema,
  ordered: { byProduct: ["productId"] },
  // No store commits a promise of more than there is.
  checks: { neverOversold: { field: "reserved", atMost: { field: "onHand" } } },
});

export const secrets = defineCollection({
  name: "secrets",
  revision: 1,
  schema: secretRecordSchema,
  unique: { byMac: ["stockId", "mac"] },
  ordered: { byState: ["stockId", "state"], byOrder: ["orderId"], byProduct: ["productId", "state"] },
});

export const views = defineCollection({ name: "views", revision: 1, schema: viewRecordSchema });

export const dayViews = defineCollection({ name: "dayViews", revision: 1, schema: dayViewRecordSchema });

export const catalogueChanges = defineCollection({
  name: "catalogueChanges",
  revision: 1,
  schema: catalogueChangeRecordSchema,
  ordered: { byAt: ["at"] },
});

export const orders = defineCollection({
  name: "orders",
  revision: 1,
  schema: orderRecordSchema,
  unique: { byNumber: ["number"] },
  ordered: {
    byUser: ["userId", "createdAt"],
    byEmail: ["emailLower", "createdAt"],
    byCreated: ["createdAt"],
    byUpdated: ["updatedAt"],
    byStatus: ["status", "createdAt"],
    byPaymentStatus: ["paymentStatus", "createdAt"],
    byAttention: ["needsAttention", "createdAt"],
    byOpenUser: ["openUser"],
    byOpenEmail: ["openEmail"],
    byOpenAddress: ["openAddress"],
    byPendingUntil: ["pendingUntil"],
    byAutoComplete: ["autoCompleteAt"],
  },
});

/** The contents of files; their chunks are blobs. */
export const storedFiles = defineCollection({
  name: "storedFiles",
  revision: 1,
  schema: storedFileRecordSchema,
  ordered: { byProduct: ["productId", "state"], bySweep: ["sweepAt"] },
});

export const fileParts = defineCollection({ name: "fileParts", revision: 1, schema: filePartRecordSchema });

export const productFiles = defineCollection({
  name: "productFiles",
  revision: 1,
  schema: productFileRecordSchema,
  ordered: { byProduct: ["productId", "position"] },
});

export const downloadTerms = defineCollection({
  name: "downloadTerms",
  revision: 1,
  schema: downloadTermsRecordSchema,
});

export const fileGrants = defineCollection({
  name: "fileGrants",
  revision: 1,
  schema: fileGrantRecordSchema,
  ordered: { byOrder: ["orderId"], byBuyer: ["productId", "emailLower"] },
});

export const fileNotices = defineCollection({
  name: "fileNotices",
  revision: 1,
  schema: fileNoticeRecordSchema,
});

export const idempotency = defineCollection({
  name: "idempotency",
  revision: 1,
  schema: idempotencyRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const notices = defineCollection({
  name: "notices",
  revision: 1,
  schema: noticeRecordSchema,
  unique: { byEvent: ["provider", "eventKey"], byReference: ["provider", "refKey", "type"] },
  ordered: {
    byOrder: ["orderId", "receivedAt"],
    byReceived: ["receivedAt"],
    byProvider: ["provider", "receivedAt"],
    byState: ["state", "receivedAt"],
    byOpen: ["open", "receivedAt"],
    byEventUntil: ["eventUntil"],
  },
});

export const coupons = defineCollection({
  name: "coupons",
  revision: 1,
  schema: couponRecordSchema,
  unique: { byCode: ["codeKey"] },
  ordered: { byCreated: ["createdAt"] },
});

export const couponUses = defineCollection({
  name: "couponUses",
  revision: 1,
  schema: couponUseRecordSchema,
  ordered: { byCoupon: ["couponId"] },
});

export const wishes = defineCollection({
  name: "wishes",
  revision: 1,
  schema: wishRecordSchema,
  ordered: {
    byUser: ["userId", "addedAt"],
    byProduct: ["productId"],
    byWatched: ["watched", "productId"],
  },
});

export const conversations = defineCollection({
  name: "conversations",
  revision: 1,
  schema: conversationRecordSchema,
  ordered: {
    byLast: ["lastMessageAt"],
    byStatus: ["status", "lastMessageAt"],
    byUnread: ["hasUnread", "lastMessageAt"],
    byAssignee: ["assignee", "lastMessageAt"],
    byChange: ["change"],
  },
});

export const messages = defineCollection({
  name: "messages",
  revision: 1,
  schema: messageRecordSchema,
  unique: { bySeq: ["seq"], byDedupe: ["dedupeKey"] },
  ordered: {
    byConversation: ["conversationId", "seq"],
    byReader: ["conversationId", "reader", "seq"],
    inOrder: ["seq"],
  },
});

export const attachments = defineCollection({
  name: "attachments",
  revision: 1,
  schema: attachmentRecordSchema,
  ordered: { byUploader: ["uploader", "createdAt"], byUnused: ["unusedUntil"] },
});

export const chatHead = defineCollection({ name: "chatHead", revision: 1, schema: chatHeadRecordSchema });

export const settings = defineCollection({ name: "settings", revision: 1, schema: settingsRecordSchema });

/** The secret's fingerprint is a group of settings of its own. */
export const shopSecretCheck: SecretCheck = {
  service: "shop",
  kept: "this shop was",
  sealed: "licence keys, order tokens and passwords of providers",
  place: { collection: "settings", id: "secret", path: ["fields", "check"] },
  findOrStore: async (tx, check) => {
    const record =
      (await tx.get(settings, "secret")) ?? (await tx.insert(settings, { id: "secret", fields: { check } }));
    return record.fields["check"];
  },
};

/** All collections of the shop. */
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
  couponUses,
  wishes,
  conversations,
  messages,
  attachments,
  chatHead,
  imageSizes,
  mailTemplates,
  mailTexts,
  withdrawals,
  pageVersions,
  ...ownerCollections,
  settings,
  outboxCollection,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  apiKeys,
  consoleSessions,
];
