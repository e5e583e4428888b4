/** Every setting of the site that is a field alone, by the tab that it stands on. */
import type { TextName } from "../../app/texts.ts";
import type { FieldSpec } from "../../ui/settings/setting-fields.tsx";
import { listCurrencies, listTimeZones } from "../ui/choices.ts";
import type { FieldSection } from "./settings-tab.tsx";

function whole(
  key: string,
  label: TextName,
  [min, max]: readonly [number, number],
  hint?: TextName,
): FieldSpec {
  return { key, label, kind: { min, max }, ...(hint && { hint }) };
}

const NO_LIMIT = 1_000_000;

const general: readonly FieldSection[] = [
  {
    title: "shop.site.basics",
    fields: [
      { key: "name", label: "shop.site.name", kind: "line" },
      {
        key: "description",
        label: "shop.site.description",
        hint: "shop.site.description.hint",
        kind: "long",
      },
      { key: "languages", label: "shop.site.languages", hint: "shop.site.languages.hint", kind: "words" },
      {
        key: "currency",
        label: "shop.site.currency",
        hint: "shop.site.currency.hint",
        kind: { listed: listCurrencies },
      },
      {
        key: "timeZone",
        label: "shop.site.timeZone",
        hint: "shop.site.timeZone.hint",
        kind: { listed: listTimeZones },
      },
    ],
  },
  {
    title: "shop.site.contact",
    hint: "shop.site.contact.hint",
    fields: [
      { key: "contact/email", label: "shop.site.contact.email", kind: "line" },
      { key: "contact/phone", label: "shop.site.contact.phone", kind: "line" },
      { key: "contact/url", label: "shop.site.contact.url", kind: "line" },
    ],
  },
  {
    title: "shop.site.addresses",
    hint: "shop.site.addresses.hint",
    fields: [
      {
        key: "orderUrlTemplate",
        label: "shop.site.orderUrl",
        hint: "shop.site.orderUrl.hint",
        kind: "line",
      },
      {
        key: "productUrlTemplate",
        label: "shop.site.productUrl",
        hint: "shop.site.productUrl.hint",
        kind: "line",
      },
      { key: "logo", label: "shop.site.logoUrl", hint: "shop.site.logoUrl.hint", kind: "line" },
    ],
  },
];

const selling: readonly FieldSection[] = [
  {
    title: "shop.site.open",
    fields: [
      {
        key: "checkoutOpen",
        label: "shop.site.checkoutOpen",
        hint: "shop.site.checkoutOpen.hint",
        kind: "tick",
      },
      {
        key: "maintenance",
        label: "shop.site.maintenance",
        hint: "shop.site.maintenance.hint",
        kind: "tick",
      },
    ],
  },
  {
    title: "shop.site.orders",
    fields: [
      { key: "guestCheckout", label: "shop.site.guestCheckout", kind: "tick" },
      {
        key: "freeGuestOrders",
        label: "shop.site.freeGuestOrders",
        hint: "shop.site.freeGuestOrders.hint",
        kind: "tick",
      },
      whole("orderExpiryMinutes", "shop.site.expiry", [1, 43_200], "shop.site.expiry.hint"),
      whole("latePaymentHours", "shop.site.late", [0, 720], "shop.site.late.hint"),
      whole("autoCompleteDays", "shop.site.complete", [0, 365], "shop.site.complete.hint"),
    ],
  },
  {
    title: "shop.site.stock",
    fields: [
      {
        key: "stockDisplay",
        label: "shop.site.stockDisplay",
        kind: {
          choices: [
            { value: "exact", label: "shop.site.stockDisplay.exact" },
            { value: "status", label: "shop.site.stockDisplay.status" },
            { value: "hidden", label: "shop.site.stockDisplay.hidden" },
          ],
        },
      },
      whole("lowStockThreshold", "shop.site.lowStock", [0, NO_LIMIT], "shop.site.lowStock.hint"),
      {
        key: "hiddenStats",
        label: "shop.site.hiddenStats",
        hint: "shop.site.hiddenStats.hint",
        kind: {
          anyOf: [
            { value: "products", label: "shop.site.hiddenStats.products" },
            { value: "inStock", label: "shop.site.hiddenStats.inStock" },
            { value: "views", label: "shop.site.hiddenStats.views" },
            { value: "soldUnits", label: "shop.site.hiddenStats.soldUnits" },
            { value: "completedOrders", label: "shop.site.hiddenStats.completedOrders" },
            { value: "since", label: "shop.site.hiddenStats.since" },
          ],
        },
      },
    ],
  },
];

const law: readonly FieldSection[] = [
  {
    title: "shop.site.eu",
    hint: "shop.site.eu.hint",
    fields: [
      {
        key: "eu/mode",
        label: "shop.site.eu.mode",
        kind: {
          choices: [
            { value: "auto", label: "shop.site.eu.mode.auto" },
            { value: "on", label: "shop.site.eu.mode.on" },
            { value: "off", label: "shop.site.eu.mode.off" },
          ],
        },
      },
      { key: "eu/termsConsent", label: "shop.site.eu.terms", hint: "shop.site.eu.terms.hint", kind: "tick" },
    ],
  },
  {
    title: "shop.site.withdrawal",
    fields: [
      whole("eu/withdrawalDays", "shop.site.eu.days", [14, 365], "shop.site.eu.days.hint"),
      whole("eu/transitDays", "shop.site.eu.transit", [0, 60], "shop.site.eu.transit.hint"),
      {
        key: "eu/publicHolidays",
        label: "shop.site.eu.holidays",
        hint: "shop.site.eu.holidays.hint",
        kind: "words",
      },
      { key: "eu/withdrawalUrl", label: "shop.site.eu.url", hint: "shop.site.eu.url.hint", kind: "line" },
    ],
  },
];

const limits: readonly FieldSection[] = [
  {
    title: "shop.site.pending",
    hint: "shop.site.pending.hint",
    fields: [
      whole("maxPending/user", "shop.site.pending.user", [1, NO_LIMIT]),
      whole("maxPending/address", "shop.site.pending.address", [1, NO_LIMIT]),
      whole("maxPending/email", "shop.site.pending.email", [1, NO_LIMIT]),
    ],
  },
  {
    title: "shop.site.orderLimits",
    hint: "shop.site.orderLimits.hint",
    fields: [
      whole("orderLimits/addressPerHour", "shop.site.limit.address", [1, NO_LIMIT]),
      whole("orderLimits/emailPerHour", "shop.site.limit.email", [1, NO_LIMIT]),
      whole(
        "orderLimits/mailedPerDay",
        "shop.site.limit.mailed",
        [1, NO_LIMIT],
        "shop.site.limit.mailed.hint",
      ),
      whole(
        "orderLimits/guestUnits",
        "shop.site.limit.guestUnits",
        [1, NO_LIMIT],
        "shop.site.limit.units.hint",
      ),
      whole("orderLimits/userUnits", "shop.site.limit.userUnits", [1, NO_LIMIT]),
    ],
  },
  {
    title: "shop.site.chatQuota",
    hint: "shop.site.chatQuota.hint",
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
      whole("files/maxFileMegabytes", "shop.site.maxFile", [1, 16_384], "shop.site.maxFile.hint"),
      whole("customers/retentionDays", "shop.site.retention", [0, 36_500], "shop.site.retention.hint"),
    ],
  },
];

/** Tabs of fields alone, by name. */
export const fieldTabs = { general, selling, law, limits } as const;
