/** Every setting of the site that is a field alone, by the tab that it stands on. */
import type { TextName } from "../../app/texts.ts";
import type { FieldSpec } from "../../ui/settings/setting-specs.ts";
import { listCurrencies, listTimeZones } from "../ui/choices.ts";
import type { FieldSection } from "./site-data.ts";

function whole(key: string, label: TextName, [min, max]: readonly [number, number]): FieldSpec {
  return { key, label, kind: { min, max } };
}

const NO_LIMIT = 1_000_000;

const general: readonly FieldSection[] = [
  {
    title: "shop.site.basics",
    fields: [
      { key: "name", label: "shop.site.name", kind: "line" },
      { key: "description", label: "shop.site.description", kind: "long" },
      { key: "languages", label: "shop.site.languages", kind: "words" },
      { key: "currency", label: "shop.site.currency", kind: { listed: listCurrencies } },
      { key: "timeZone", label: "shop.site.timeZone", kind: { listed: listTimeZones } },
    ],
  },
  {
    title: "shop.site.contact",
    fields: [
      { key: "contact/email", label: "shop.ui.email", kind: "line" },
      { key: "contact/phone", label: "shop.ui.phone", kind: "line" },
      { key: "contact/url", label: "shop.site.contact.url", kind: "line" },
    ],
  },
  {
    title: "shop.site.addresses",
    fields: [
      { key: "orderUrlTemplate", label: "shop.site.orderUrl", kind: "line" },
      { key: "productUrlTemplate", label: "shop.site.productUrl", kind: "line" },
      { key: "logo", label: "shop.site.logoUrl", kind: "line" },
    ],
  },
];

const selling: readonly FieldSection[] = [
  {
    title: "shop.site.open",
    fields: [
      { key: "checkoutOpen", label: "shop.site.checkoutOpen", kind: "tick" },
      { key: "maintenance", label: "shop.site.maintenance", kind: "tick" },
    ],
  },
  {
    title: "shop.nav.orders",
    fields: [
      { key: "guestCheckout", label: "shop.site.guestCheckout", kind: "tick" },
      { key: "freeGuestOrders", label: "shop.site.freeGuestOrders", kind: "tick" },
      whole("orderExpiryMinutes", "shop.site.expiry", [1, 43_200]),
      whole("latePaymentHours", "shop.site.late", [0, 720]),
      whole("autoCompleteDays", "shop.site.complete", [0, 365]),
    ],
  },
  {
    title: "shop.site.stock",
    fields: [
      {
        key: "stockDisplay",
        label: "shop.site.stockDisplay",
        kind: { choices: ["exact", "status", "hidden"] },
      },
      whole("lowStockThreshold", "shop.site.lowStock", [0, NO_LIMIT]),
      {
        key: "hiddenStats",
        label: "shop.site.hiddenStats",
        kind: { anyOf: ["products", "inStock", "views", "soldUnits", "completedOrders", "since"] },
      },
    ],
  },
];

const law: readonly FieldSection[] = [
  {
    title: "shop.site.eu",
    fields: [
      { key: "eu/mode", label: "shop.site.eu.mode", kind: { choices: ["auto", "on", "off"] } },
      { key: "eu/termsConsent", label: "shop.site.eu.terms", kind: "tick" },
    ],
  },
  {
    title: "shop.site.withdrawal",
    fields: [
      whole("eu/withdrawalDays", "shop.site.eu.days", [14, 365]),
      whole("eu/transitDays", "shop.site.eu.transit", [0, 60]),
      { key: "eu/publicHolidays", label: "shop.site.eu.holidays", kind: "words" },
      { key: "eu/withdrawalUrl", label: "shop.site.eu.url", kind: "line" },
    ],
  },
];

const limits: readonly FieldSection[] = [
  {
    title: "shop.site.pending",
    fields: [
      whole("maxPending/user", "shop.site.pending.user", [1, NO_LIMIT]),
      whole("maxPending/address", "shop.site.pending.address", [1, NO_LIMIT]),
      whole("maxPending/email", "shop.site.pending.email", [1, NO_LIMIT]),
    ],
  },
  {
    title: "shop.site.orderLimits",
    fields: [
      whole("orderLimits/addressPerHour", "shop.site.limit.address", [1, NO_LIMIT]),
      whole("orderLimits/emailPerHour", "shop.site.limit.email", [1, NO_LIMIT]),
      whole("orderLimits/mailedPerDay", "shop.site.limit.mailed", [1, NO_LIMIT]),
      whole("orderLimits/guestUnits", "shop.site.limit.guestUnits", [1, NO_LIMIT]),
      whole("orderLimits/userUnits", "shop.site.limit.userUnits", [1, NO_LIMIT]),
    ],
  },
  {
    title: "shop.site.chatQuota",
    fields: [
      whole("chatQuota/picturesPerDay", "shop.site.chat.perDay", [1, 10_000]),
      whole("chatQuota/megabytesPerDay", "shop.site.chat.mbPerDay", [1, 100_000]),
      whole("chatQuota/pictures", "shop.site.chat.kept", [1, 10_000]),
      whole("chatQuota/megabytes", "shop.site.chat.mbKept", [1, 100_000]),
    ],
  },
  {
    title: "shop.site.kept",
    fields: [
      whole("files/maxFileMegabytes", "shop.site.maxFile", [1, 16_384]),
      whole("customers/retentionDays", "shop.site.retention", [0, 36_500]),
    ],
  },
];

/** Tabs of fields alone, by name. */
export const fieldTabs = { general, selling, law, limits } as const;
