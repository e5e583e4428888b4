/** Resources name their texts by rule: no label, choice, filter or word of a page may lack its text. */
import "./browser.ts";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { applications } from "../../../src/web/auth/applications/applications.tsx";
import { groups, newGroup } from "../../../src/web/auth/groups/groups.tsx";
import { invites, newInvites } from "../../../src/web/auth/invites/invites-page.tsx";
import { newProvider, providers } from "../../../src/web/auth/providers/providers-page.tsx";
import { newResource, resources as registered } from "../../../src/web/auth/resources/resources-page.tsx";
import { approvals } from "../../../src/web/auth/approvals/approvals-page.tsx";
import { accountForm, newUser, profileForm } from "../../../src/web/auth/users/user-forms.tsx";
import { users } from "../../../src/web/auth/users/users.tsx";
import { roles } from "../../../src/web/auth/roles/roles-page.tsx";
import {
  categories as newCategory,
  collections as newCollection,
} from "../../../src/web/shop/categories/categories-page.tsx";
import { categories, collections } from "../../../src/web/shop/categories/shown-page.tsx";
import { coupons } from "../../../src/web/shop/coupons/coupons-page.tsx";
import { reviews } from "../../../src/web/shop/reviews/reviews-page.tsx";
import { draftForms } from "../../../src/web/shop/drafts/draft-dialogs.tsx";
import { drafts } from "../../../src/web/shop/drafts/draft-page.tsx";
import { draftList } from "../../../src/web/shop/drafts/drafts-page.tsx";
import type { StatusPageView } from "../../../src/monitor/status/post-schema.ts";
import { statusPageFieldsSchema } from "../../../src/monitor/status/schema.ts";
import { audit as authAudit } from "../../../src/web/auth/audit/audit-page.tsx";
import { newEmail } from "../../../src/web/auth/users/user-emails.tsx";
import { accessForm } from "../../../src/web/monitor/access/access-form.tsx";
import { tokens } from "../../../src/web/monitor/access/token-panel.tsx";
import { notices } from "../../../src/web/monitor/channels/notices-page.tsx";
import { audit as monitorAudit } from "../../../src/web/monitor/site/audit-page.tsx";
import { toFollowers } from "../../../src/web/monitor/status/followers-panel.tsx";
import { statusPages } from "../../../src/web/monitor/status/page-form.tsx";
import {
  headForms,
  newPostForms,
  toUpdateForm,
  updateForm,
} from "../../../src/web/monitor/status/post-forms.tsx";
import { toPosts } from "../../../src/web/monitor/status/posts-panel.tsx";
import { audit as shopAudit } from "../../../src/web/shop/audit/audit-page.tsx";
import { outbox } from "../../../src/web/shop/mail/outbox-tab.tsx";
import { fileForm, newFile, newVersion } from "../../../src/web/shop/products/delivery/file-dialogs.tsx";
import { termsForm } from "../../../src/web/shop/products/delivery/terms-form.tsx";
import { toDeliveries } from "../../../src/web/shop/webhooks/deliveries.tsx";
import { mailForm as monitorMail } from "../../../src/web/monitor/site/mail-server.tsx";
import { settingsForm } from "../../../src/web/monitor/site/settings-form.tsx";
import { newMachine } from "../../../src/web/monitor/servers/add-machine.tsx";
import { servers } from "../../../src/web/monitor/servers/servers.tsx";
import { customers } from "../../../src/web/shop/customers/customers-page.tsx";
import { newWebhook, webhooks } from "../../../src/web/shop/webhooks/webhooks-page.tsx";
import { toDeliverForm } from "../../../src/web/shop/orders/actions/deliver-dialog.tsx";
import { toRestockForm, toWithdrawalForm } from "../../../src/web/shop/orders/actions/goods-dialogs.tsx";
import { shipmentForm } from "../../../src/web/shop/orders/actions/shipment-dialog.tsx";
import { orders } from "../../../src/web/shop/orders/orders-page.tsx";
import { categoryForm } from "../../../src/web/shop/products/category-dialog.tsx";
import { newProduct } from "../../../src/web/shop/products/new-product-page.tsx";
import { product } from "../../../src/web/shop/products/product-page.tsx";
import { products } from "../../../src/web/shop/products/products-page.tsx";
import { adjustForm } from "../../../src/web/shop/stock/adjust-dialog.tsx";
import { stock } from "../../../src/web/shop/stock/stock-page.tsx";
import { detailsForm, noteForm } from "../../../src/web/shop/customers/customer-page.tsx";
import { invoices } from "../../../src/web/shop/invoices/invoices-page.tsx";
import { wordsForm } from "../../../src/web/shop/mails/words-form.ts";
import { providers as paymentProviders } from "../../../src/web/shop/providers/providers-page.tsx";
import { toProviderForm } from "../../../src/web/shop/providers/provider-form.ts";
import { feeForm } from "../../../src/web/shop/shipping/methods-tab.tsx";
import { ratesForm } from "../../../src/web/shop/shipping/rates-tab.tsx";
import { announcementForm } from "../../../src/web/shop/site/announcement-tab.tsx";
import { allNotices, inbox } from "../../../src/web/shop/payments/payments-page.tsx";
import { allWithdrawals, openWithdrawals } from "../../../src/web/shop/withdrawals/withdrawals-page.tsx";
import { methods } from "../../../src/web/shop/shipping/methods.tsx";
import { tabs } from "../../../src/web/auth/settings/groups.ts";
import { mailForm } from "../../../src/web/shop/mail/mail-form.tsx";
import { fieldTabs as shippingTabs } from "../../../src/web/shop/shipping/groups.ts";
import { lookForm } from "../../../src/web/shop/site/look-tab.tsx";
import { fieldTabs as siteTabs } from "../../../src/web/shop/site/groups.ts";
import { type MadeForm, labelName, makeForm, toBlank } from "../../../src/web/ui/resource/form.ts";
import { apiKeys, newKey } from "../../../src/web/ui/rights/api-keys-page.tsx";
import { listValues } from "../../../src/web/ui/resource/list-parts.tsx";
import type { TableQuery } from "../../../src/web/ui/resource/resource.ts";

interface AnyResource {
  readonly texts: string;
  readonly creation?: unknown;
  readonly deletion?: false;
  readonly table: TableQuery;
}

/** A kind of payment provider without fields of its own. */
const anyKind = { kind: "", title: "", documentation: "", can: [], fields: [], form: {} };

/** A status page. */
const page: StatusPageView = {
  ...statusPageFieldsSchema.parse({ title: "Northwind", slug: "northwind" }),
  id: "stp_1",
  version: 1,
  statuses: {},
  createdAt: "2026-01-01T00:00:00.000+00:00",
  updatedAt: "2026-01-01T00:00:00.000+00:00",
};

/** Every resource of the consoles. */
const resources: readonly AnyResource[] = [
  coupons,
  reviews,
  drafts,
  categories,
  collections,
  { ...orders, creation: false, deletion: false },
  methods,
  webhooks,
  product,
  { ...products, creation: false, deletion: false },
  { ...stock, creation: false, deletion: false },
  paymentProviders,
  ...[
    draftList,
    customers,
    invoices,
    inbox,
    allNotices,
    openWithdrawals,
    allWithdrawals,
    authAudit,
    shopAudit,
    monitorAudit,
    outbox,
    toDeliveries("whe_1"),
    notices,
    toPosts(page),
  ].map((listing) => ({
    ...listing,
    creation: false,
    deletion: false as const,
  })),
  groups,
  applications,
  providers,
  roles,
  registered,
  { ...invites, deletion: false },
  servers,
  users,
  { ...approvals, creation: false, deletion: false },
  statusPages,
  { ...toFollowers(page), deletion: false },
  ...Object.values(tokens),
  { ...apiKeys, deletion: false },
];
/** Of every form: theirs, and those of dialogs. */
const formTexts = [
  listFormTexts(makeForm(coupons)),
  listFormTexts(makeForm(drafts)),
  ...Object.values(draftForms).map((form) => listFormTexts(form)),
  listFormTexts(makeForm(categories)),
  listFormTexts(makeForm(collections)),
  listFormTexts(makeForm(newCategory)),
  listFormTexts(makeForm(newCollection)),
  listFormTexts(makeForm(methods)),
  listFormTexts(makeForm(webhooks)),
  listFormTexts(newWebhook),
  listFormTexts(adjustForm),
  listFormTexts(categoryForm),
  listFormTexts(makeForm(product)),
  listFormTexts(makeForm(newProduct)),
  listFormTexts(makeForm(groups)),
  listFormTexts(newGroup),
  listFormTexts(newInvites),
  listFormTexts(makeForm(applications)),
  listFormTexts(makeForm(providers)),
  listFormTexts(newProvider),
  listFormTexts(makeForm(roles)),
  listFormTexts(makeForm(registered)),
  listFormTexts(newResource),
  listFormTexts(makeForm(servers)),
  listFormTexts(accountForm),
  listFormTexts(newUser),
  listFormTexts(profileForm),
  listFormTexts(newMachine),
  listFormTexts(accessForm),
  listFormTexts(settingsForm),
  listFormTexts(monitorMail),
  listFormTexts(mailForm),
  listFormTexts(lookForm),
  listFormTexts(announcementForm),
  listFormTexts(feeForm),
  listFormTexts(ratesForm),
  listFormTexts(wordsForm),
  listFormTexts(noteForm),
  listFormTexts(detailsForm),
  ...["generic", "demo"].map((kind) =>
    listFormTexts(makeForm(toProviderForm({ ...anyKind, kind }, { isNew: true }))),
  ),
  listFormTexts(makeForm(statusPages)),
  ...Object.values(newPostForms).map(listFormTexts),
  ...Object.values(headForms).map(listFormTexts),
  listFormTexts(toUpdateForm({ type: "incident", state: "ended" })),
  listFormTexts(updateForm),
  listFormTexts(makeForm(toFollowers(page))),
  listFormTexts(newFile),
  listFormTexts(fileForm),
  listFormTexts(newVersion),
  listFormTexts(termsForm),
  listFormTexts(makeForm(apiKeys)),
  listFormTexts(newKey),
  listFormTexts(shipmentForm),
  listFormTexts(toDeliverForm({ lines: [] }).form),
  listFormTexts(toRestockForm({ lines: [] })),
  listFormTexts(toWithdrawalForm({ lines: [], createdAt: "2026-01-01T00:00:00.000+00:00" })),
  listFormTexts(newEmail),
  ...Object.values(tokens).map((of) => listFormTexts(makeForm(of))),
  ...Object.values(siteTabs).map(listFormTexts),
  ...Object.values(shippingTabs).map(listFormTexts),
  ...tabs.map(({ form }) => listFormTexts(form)),
].flat();

async function readNames(): Promise<ReadonlySet<string>> {
  const rooms = ["web", "web-auth", "web-shop"].map(async (room) =>
    Object.keys(
      JSON.parse(
        await readFile(new URL(`../../../src/texts/en/${room}.json`, import.meta.url), "utf8"),
      ) as object,
    ),
  );
  return new Set((await Promise.all(rooms)).flat());
}

function listFormTexts<C>(form: Pick<MadeForm<C>, "fields" | "words">): string[] {
  const blank = toBlank(form);
  return [...form.fields.values()].flatMap((field) => {
    const label = labelName(form, field, blank);
    if (field.json.label !== undefined) return [];
    const isChoice = ["choice", "choices"].includes(field.json.kind) && field.kind.hasOwnWords !== true;
    const choices = isChoice ? (field.json.choices ?? []) : [];
    return [label, ...choices.map((choice) => `${field.kind.choiceWords ?? label}.${choice}`)];
  });
}

describe("texts of resources", () => {
  it("are there for every field, choice, filter and page", async () => {
    const names = await readNames();
    const wanted = [
      ...formTexts,
      ...resources.flatMap(({ texts, creation, deletion, table }) => [
        `${texts}.none`,
        ...(creation === false ? [] : [`${texts}.add`]),
        ...(deletion === false ? [] : [`${texts}.delete`, `${texts}.delete.text`]),
        ...(table.sorts === undefined
          ? []
          : listValues(table, "sort").map((order) => `${table.sorts?.words}.${order}`)),
        ...(table.filters ?? []).flatMap((filter) => {
          if (filter.as === "link") return [];
          const { name, label, as, values, words, any = `${words}.any`, useChoices } = filter;
          const isTyped = as === "text" || as === "day";
          const known = useChoices === undefined ? listValues(table, name, values) : [];
          return isTyped ? [label] : [label, any, ...known.map((value) => `${words}.${value}`)];
        }),
      ]),
    ];
    assert.ok(wanted.length > 150);
    assert.deepEqual(
      wanted.filter((name) => !names.has(name)),
      [],
    );
  });
});
