/** Every setting of the site that is a plain field, by tab. */
import { siteSettingsSchema } from "../../../shop/site/schema.ts";
import { type FieldForm, type MadeForm, makeForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { listCurrencies, listTimeZones } from "../ui/choices.ts";

type Site = typeof siteSettingsSchema;

/** A form of some settings of the site. */
export function part(panels: FieldForm<Site>["panels"]): MadeForm<unknown> {
  return makeForm({
    schema: siteSettingsSchema,
    words: "shop.site",
    only: "panels",
    kinds: { choice: choiceKind({ as: "list" }) },
    panels,
  });
}

const general = part([
  {
    title: "shop.site.basics",
    fields: [
      { name: "name", label: "shop.site.name" },
      { name: "description", label: "shop.site.description" },
      { name: "languages", label: "shop.site.languages" },
      { name: "currency", label: "shop.site.currency", kind: listedKind(listCurrencies) },
      { name: "timeZone", label: "shop.site.timeZone", kind: listedKind(listTimeZones) },
    ],
  },
  {
    title: "shop.site.contact",
    hint: "shop.site.contact.hint",
    fields: [
      { name: "contact/email", label: "shop.ui.email" },
      { name: "contact/phone", label: "shop.ui.phone" },
      { name: "contact/url", label: "shop.site.contact.url" },
    ],
  },
  {
    title: "shop.site.addresses",
    hint: "shop.site.addresses.hint",
    fields: [
      { name: "orderUrlTemplate", label: "shop.site.orderUrl" },
      { name: "productUrlTemplate", label: "shop.site.productUrl" },
      { name: "logo", label: "shop.site.logoUrl" },
      { name: "slugStyle", label: "shop.site.slugStyle" },
    ],
  },
]);

const selling = part([
  {
    title: "shop.site.open",
    fields: [
      { name: "checkoutOpen", label: "shop.site.checkoutOpen" },
      { name: "maintenance", label: "shop.site.maintenance" },
    ],
  },
  {
    title: "shop.nav.orders",
    fields: [
      { name: "guestCheckout", label: "shop.site.guestCheckout" },
      { name: "freeGuestOrders", label: "shop.site.freeGuestOrders" },
      { name: "orderExpiryMinutes", label: "shop.site.expiry" },
      { name: "latePaymentHours", label: "shop.site.late" },
      { name: "autoCompleteDays", label: "shop.site.complete" },
    ],
  },
  {
    title: "shop.site.stockRequests",
    hint: "shop.site.stockRequests.hint",
    fields: [
      { name: "stockRequests/enabled", label: "shop.site.stockRequests.enabled" },
      { name: "stockRequests/emailsPerUnit", label: "shop.site.stockRequests.perUnit" },
    ],
  },
  {
    title: "shop.site.reminders",
    hint: "shop.site.reminders.hint",
    fields: [
      { name: "checkoutReminders/enabled", label: "shop.site.reminders.enabled" },
      { name: "checkoutReminders/hours", label: "shop.site.reminders.hours" },
    ],
  },
  {
    title: "shop.site.renewals",
    hint: "shop.site.renewals.hint",
    fields: [
      { name: "renewals/leadDays", label: "shop.site.renewals.lead" },
      { name: "renewals/priceNoticeDays", label: "shop.site.renewals.price" },
      { name: "renewals/reminderDays", label: "shop.site.renewals.remind" },
      { name: "renewals/reminderEveryDays", label: "shop.site.renewals.again" },
    ],
  },
  {
    title: "shop.site.stock",
    fields: [
      { name: "stockDisplay", label: "shop.site.stockDisplay" },
      { name: "lowStockThreshold", label: "shop.site.lowStock" },
      { name: "hiddenStats", label: "shop.site.hiddenStats" },
    ],
  },
  {
    title: "shop.site.reviews",
    fields: [
      { name: "reviews/isOn", label: "shop.site.reviews.on" },
      { name: "reviews/moderation", label: "shop.site.reviews.moderation" },
      { name: "reviews/invite", label: "shop.site.reviews.invite" },
      { name: "reviews/inviteDays", label: "shop.site.reviews.inviteDays" },
    ],
  },
]);

const law = part([
  {
    title: "shop.site.eu",
    hint: "shop.site.eu.hint",
    fields: [
      { name: "eu/mode", label: "shop.site.eu.mode" },
      { name: "eu/termsConsent", label: "shop.site.eu.terms" },
    ],
  },
  {
    title: "shop.site.withdrawal",
    fields: [
      { name: "eu/withdrawalDays", label: "shop.site.eu.days" },
      { name: "eu/transitDays", label: "shop.site.eu.transit" },
      { name: "eu/publicHolidays", label: "shop.site.eu.holidays" },
      { name: "eu/withdrawalUrl", label: "shop.site.eu.url" },
    ],
  },
]);

const limits = part([
  {
    title: "shop.site.pending",
    hint: "shop.site.pending.hint",
    fields: [
      { name: "maxPending/user", label: "shop.site.pending.user" },
      { name: "maxPending/address", label: "shop.site.pending.address" },
      { name: "maxPending/email", label: "shop.site.pending.email" },
    ],
  },
  {
    title: "shop.site.orderLimits",
    hint: "shop.site.orderLimits.hint",
    fields: [
      { name: "orderLimits/addressPerHour", label: "shop.site.limit.address" },
      { name: "orderLimits/emailPerHour", label: "shop.site.limit.email" },
      { name: "orderLimits/mailedPerDay", label: "shop.site.limit.mailed" },
      { name: "orderLimits/guestUnits", label: "shop.site.limit.guestUnits" },
      { name: "orderLimits/userUnits", label: "shop.site.limit.userUnits" },
    ],
  },
  {
    title: "shop.site.chatQuota",
    hint: "shop.site.chatQuota.hint",
    fields: [
      { name: "chatQuota/picturesPerDay", label: "shop.site.chat.perDay" },
      { name: "chatQuota/megabytesPerDay", label: "shop.site.chat.mbPerDay" },
      { name: "chatQuota/pictures", label: "shop.site.chat.kept" },
      { name: "chatQuota/megabytes", label: "shop.site.chat.mbKept" },
    ],
  },
  {
    title: "shop.site.kept",
    fields: [
      { name: "files/maxFileMegabytes", label: "shop.site.maxFile" },
      { name: "customers/retentionDays", label: "shop.site.retention" },
    ],
  },
]);

/** Tabs of fields alone, by name. */
export const fieldTabs = { general, selling, law, limits } as const;
