/** The site's settings as an administrator reads and changes them. */
import { z } from "zod";
import { assertLogoChange } from "../../kit/brand/logo-change.ts";
import { AppError, type FieldError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { VersionedSettings } from "../../records/settings.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { readFormerCategories, replaceCategories } from "../categories/former-categories.ts";
import type { Actor } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import { assertMayDemo } from "./demo-switch.ts";
import { findUnknownPlaceholder } from "../../kit/text/placeholders.ts";
import {
  type ProviderFields,
  assertNoneLost,
  getProvider,
  toArranged,
  toProvider,
  toProviderView,
  withProvider,
} from "./providers-admin.ts";
import { invoices } from "../invoices/collections.ts";
import { stampPages } from "../legal/legal-pages.ts";
import { testProvider } from "../payments/services/provider-test.ts";
import { orders } from "../orders/records.ts";
import { products } from "../products/records.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import {
  type Category,
  type Provider,
  type SiteSettings,
  siteSettingsSchema,
  templatePlaceholders,
} from "../site/schema.ts";
import { isKnownSection, sectionTypes } from "../site/storefront-schema.ts";
import { listTaxProblems } from "../tax/settings-check.ts";
import { countWaitingOrders } from "./waiting-orders.ts";
import { listSiteWarnings } from "./warnings.ts";

const PAGE = 500;
const optionsSchema = z.record(z.string(), z.unknown());

/** Members to change, checked here by the settings' own schema. */
export type SitePatch = SettingsPatch;

/** From what a change was made, and by whom. */
export interface ChangeBy {
  /** Of an If-Match header. */
  readonly ifMatch?: number | undefined;
  /** Of the body. */
  readonly version?: number | undefined;
  readonly actor: Actor;
}

type SiteDeps = Pick<ShopDeps, "store" | "clock" | "box" | "publicUrl" | "paymentOutbound">;
type Stored = VersionedSettings<SiteSettings> & { readonly categories: Category[] };

export type SiteView = ReturnType<typeof toView>;

function toView({ box }: SiteDeps, { fields, version, categories }: Stored) {
  const paymentProviders = fields.paymentProviders.map((each) => toProviderView(box, each));
  const { automaticDiscounts: _kept, ...shown } = fields;
  return { ...shown, categories, paymentProviders, version, warnings: listSiteWarnings(fields, box) };
}

async function readStored(tx: ReadTx): Promise<Stored> {
  return { ...(await readSettings(tx, "site")), categories: await readFormerCategories(tx) };
}

/** Checks beyond the schema. */
function checkSite(site: SiteSettings): void {
  const errors: FieldError[] = [];
  const add = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  const slugs = site.pages.map(({ slug }) => slug);
  slugs.forEach((slug, index) => {
    if (slugs.indexOf(slug) !== index) add(`/pages/${index}/slug`, "must not be repeated");
  });
  const { startsAt = 0, endsAt = Number.POSITIVE_INFINITY } = site.announcement ?? {};
  if (endsAt <= startsAt) add("/announcement/endsAt", "must be after startsAt");
  errors.push(...listTaxProblems(site));
  if (errors.length > 0) throw new AppError("invalid", "The settings contradict each other", { errors });
}

/** Prices mean something else in another currency, so they are changed first. */
async function checkCurrency(tx: ReadTx, { currency }: SiteSettings): Promise<void> {
  const open = await tx.list(orders, "byStatus", { prefix: ["pending_payment"], limit: 1_000 });
  if (open.items.some((order) => order.currency !== currency)) {
    throw new AppError(
      "conflict",
      "The currency cannot change while orders in the previous currency are unpaid. Close the checkout (checkoutOpen: false) and wait until they are paid or expired, or cancel them",
    );
  }
  for (const status of ["published", "draft"]) {
    const walk = { index: "byStatus", range: { prefix: [status] }, pageSize: PAGE } as const;
    for await (const page of pagesOf(tx, products, walk)) {
      const other = page.find((product) => product.currency !== currency);
      if (other !== undefined) {
        throw new AppError(
          "conflict",
          `Some products have prices in another currency, such as "${other.slug}" in ${other.currency}. Archive them or set prices in ${currency} first`,
        );
      }
    }
  }
}

/** All documents of a shop are rounded alike. Throws `conflict`. */
async function checkRounding(tx: ReadTx): Promise<void> {
  const { items } = await tx.list(invoices, "byIssued", { limit: 1 });
  if (items.length === 0) return;
  const message =
    "The rounding of VAT cannot change after the first invoice: all documents are rounded alike";
  throw new AppError("conflict", message);
}

/** Throws `version_conflict` for a stale version in a body. */
export function checkVersion(present: number, { version }: Pick<ChangeBy, "version">): void {
  if (version === undefined || version === present) return;
  const details = { currentVersion: present };
  throw new AppError("version_conflict", "Someone else changed these settings. Reload them and try again", {
    details,
  });
}

/** Sections that this version cannot show are kept, and not taken from a request. */
function checkSections({ storefront }: SiteSettings, before: SiteSettings): void {
  const kept = new Set(before.storefront.sections.map(({ id, type }) => `${id} ${type}`));
  const errors = storefront.sections.flatMap((section, index): FieldError[] => {
    if (isKnownSection(section) || kept.has(`${section.id} ${section.type}`)) return [];
    const message = `must be one of ${sectionTypes.join(", ")}`;
    return [{ pointer: `/storefront/sections/${index}/type`, code: "invalid", message }];
  });
  if (errors.length > 0) throw new AppError("invalid", "A section has an unknown type", { errors });
}

/** Refuses names in braces that nothing fills in; addresses that were stored before stay. */
function checkTemplates(site: SiteSettings, before: SiteSettings): void {
  const errors: FieldError[] = [];
  const check = (pointer: string, [now, then]: readonly (string | undefined)[], names: readonly string[]) => {
    const unknown = now === then ? undefined : findUnknownPlaceholder(now ?? "", names);
    if (unknown === undefined) return;
    const known = names.map((name) => `{${name}}`).join(", ");
    errors.push({
      pointer,
      code: "invalid",
      message: `contains {${unknown}}. Supported placeholders: ${known}`,
    });
  };
  for (const name of ["orderUrlTemplate", "productUrlTemplate"] as const)
    check(`/${name}`, [site[name], before[name]], templatePlaceholders[name]);
  site.paymentProviders.forEach(({ word: slug, payUrlTemplate }, index) => {
    const old = before.paymentProviders.find(({ word }) => word === slug)?.payUrlTemplate;
    const pointer = `/paymentProviders/${index}/payUrlTemplate`;
    check(pointer, [payUrlTemplate, old], templatePlaceholders.payUrlTemplate);
  });
  if (errors.length > 0) throw new AppError("invalid", "A URL contains an unknown placeholder", { errors });
}

/** VAT once it is changed: the switch that `vatIds` replaced goes. @throws AppError `invalid` for a change of that switch */
function withoutFormerSwitch(before: SiteSettings, after: SiteSettings): SiteSettings {
  const { reverseCharge, ...tax } = after.tax;
  if (reverseCharge !== undefined && reverseCharge !== before.tax.reverseCharge) {
    const message = 'was replaced by tax.vatIds: set that to "off" or "checked"';
    throw new AppError("invalid", `tax.reverseCharge ${message}`, {
      errors: [{ pointer: "/tax/reverseCharge", code: "invalid", message }],
    });
  }
  return { ...after, tax };
}

/** The settings that a patch makes of those before. */
function patchSite(box: SecretBox, patch: SitePatch, before: SiteSettings): SiteSettings {
  const { paymentProviders: changed, ...rest } = patch;
  const applied = applyPatch(siteSettingsSchema, before, rest);
  const patched = rest["tax"] === undefined ? applied : withoutFormerSwitch(before, applied);
  // Parsing makes new lists: one that the patch does not name is the same as before.
  const after = rest["categories"] === undefined ? { ...patched, categories: before.categories } : patched;
  if (changed === undefined) return { ...after, paymentProviders: before.paymentProviders };
  const list = z.array(z.looseObject({ word: z.string() })).parse(changed);
  assertNoneLost(list, before.paymentProviders);
  const paymentProviders = list.map((fields, index) =>
    toProvider(box, fields, {
      before: before.paymentProviders.find(({ word }) => word === fields.word),
      at: `/paymentProviders/${index}`,
    }),
  );
  const all = siteSettingsSchema.shape.paymentProviders.safeParse(paymentProviders);
  if (!all.success) throw toInvalidError("json", all.error.issues);
  return { ...after, paymentProviders };
}

function change(deps: SiteDeps, edit: (before: SiteSettings) => SiteSettings, by: ChangeBy): Promise<Stored> {
  const { store, clock, publicUrl } = deps;
  return store.transact(async (tx) => {
    const { fields: before, version: present } = await readSettings(tx, "site");
    checkVersion(present, by);
    const edited = edit(before);
    const pages = await stampPages(tx, { before: before.pages, after: edited.pages, clock });
    // Categories are separate records: a list of them in this form is stored there.
    const categories = edited.categories === before.categories ? before.categories : [];
    const fields = { ...edited, pages, categories };
    checkSite(fields);
    checkTemplates(fields, before);
    checkSections(fields, before);
    assertLogoChange(before.branding.logo, fields.branding.logo, "/branding/logo");
    if (fields.paymentProviders !== before.paymentProviders)
      assertMayDemo(publicUrl, fields.paymentProviders);
    if (fields.currency !== before.currency) await checkCurrency(tx, fields);
    if (fields.tax.rounding !== before.tax.rounding) await checkRounding(tx);
    const { actor, ifMatch: version } = by;
    const stored = await replaceSettings(tx, { group: "site", fields, version, actor, clock });
    if (edited.categories !== before.categories)
      await replaceCategories(tx, edited.categories, { actor, clock });
    return { ...stored, categories: await readFormerCategories(tx) };
  });
}

/** One payment provider by its slug; each throws as `change` of the site does, and `not_found`. */
function createProviders(deps: SiteDeps) {
  const { store, box } = deps;
  /** With the version of the settings that it is part of. */
  const pick = ({ fields, version }: Omit<Stored, "categories">, slug: string) => ({
    ...toProviderView(box, getProvider(fields.paymentProviders, slug)),
    version,
  });
  /** Replaces a provider by what `make` returns for the stored ones. A secret that is left out stays, "" removes it. */
  const edit = async (slug: string, make: (before: readonly Provider[]) => ProviderFields, by: ChangeBy) => {
    const stored = await change(
      deps,
      (site) => {
        const before = site.paymentProviders.find(({ word }) => word === slug);
        const provider = toProvider(box, { ...make(site.paymentProviders), word: slug }, { before, at: "" });
        return { ...site, paymentProviders: withProvider(site.paymentProviders, provider) };
      },
      by,
    );
    return pick(stored, slug);
  };
  return {
    /** All of them, in their order. */
    list: async () => {
      const { fields, version } = await store.read((tx) => readSettings(tx, "site"));
      return fields.paymentProviders.map((each) => ({ ...toProviderView(box, each), version }));
    },
    /** With the number of orders that wait to be paid with it. */
    read: (slug: string) =>
      store.read(async (tx) => {
        const provider = pick(await readSettings(tx, "site"), slug);
        return { ...provider, waitingOrders: await countWaitingOrders(tx, slug) };
      }),
    /** Whether its service takes the settings; what it refuses is the result. */
    test: async (slug: string) => {
      const { fields: site } = await store.read((tx) => readSettings(tx, "site"));
      return testProvider(deps, { provider: getProvider(site.paymentProviders, slug), site });
    },
    /** Creates or replaces the provider: omitted fields are reset to their defaults. */
    put: (slug: string, fields: ProviderFields, by: ChangeBy) => edit(slug, () => fields, by),
    /** Changes what is named; an option that is null goes back to its default. */
    change: (slug: string, fields: ProviderFields, by: ChangeBy) =>
      edit(
        slug,
        (all) => {
          const { secret: _sealed, sealedCredentials: _all, ...before } = getProvider(all, slug);
          const options = { ...before.options, ...optionsSchema.parse(fields["options"] ?? {}) };
          const hasNone = before.options === undefined && fields["options"] === undefined;
          const kept = Object.entries(options).filter(([, value]) => value !== null);
          return { ...before, ...fields, options: hasNone ? undefined : Object.fromEntries(kept) };
        },
        by,
      ),
    /** Puts all of them in an order, which buyers see. @throws AppError `invalid` unless each is named once */
    arrange: async (slugs: readonly string[], by: ChangeBy): Promise<{ version: number }> => {
      const { version } = await change(
        deps,
        (site) => ({ ...site, paymentProviders: toArranged(site.paymentProviders, slugs) }),
        by,
      );
      return { version };
    },
    remove: async (slug: string, by: ChangeBy): Promise<void> => {
      await change(
        deps,
        (site) => {
          getProvider(site.paymentProviders, slug);
          const paymentProviders = site.paymentProviders.filter(({ word }) => word !== slug);
          return { ...site, paymentProviders };
        },
        by,
      );
    },
  };
}

export type SiteAdmin = ReturnType<typeof createSiteAdmin>;

/** Creates the administration of the site. */
export function createSiteAdmin(deps: SiteDeps) {
  return {
    read: async (): Promise<SiteView> => toView(deps, await deps.store.read(readStored)),
    /**
     * @throws AppError `invalid`, `stale_version`, `version_conflict`, or `conflict` for a currency that is in use,
     *   a provider whose secret would be lost, or the demo payment in a shop that people reach over https
     */
    change: async (patch: SitePatch, by: ChangeBy): Promise<SiteView> =>
      toView(deps, await change(deps, (before) => patchSite(deps.box, patch, before), by)),
    /** The settings as they would be after a change, which is not stored. Throws as `change` does for what is invalid. */
    preview: async (patch: SitePatch): Promise<SiteSettings> => {
      const { fields: before } = await deps.store.read((tx) => readSettings(tx, "site"));
      const fields = patchSite(deps.box, patch, before);
      checkSections(fields, before);
      return fields;
    },
    providers: createProviders(deps),
  };
}
