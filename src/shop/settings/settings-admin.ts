/** The site's settings as an administrator reads and changes them. */
import { z } from "zod";
import { AppError, type FieldError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { VersionedSettings } from "../../records/settings.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import type { ShopDeps } from "../deps.ts";
import { assertMayDemo } from "./demo-switch.ts";
import { findUnknownPlaceholder } from "../../kit/text/placeholders.ts";
import {
  type ProviderFields,
  type ProviderView,
  assertNoneLost,
  getProvider,
  toProvider,
  toProviderView,
  withProvider,
} from "./providers-admin.ts";
import { orders, products } from "../records.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import {
  type Provider,
  type SiteSettings,
  siteSettingsSchema,
  templatePlaceholders,
} from "../site/schema.ts";
import { type SiteWarning, listSiteWarnings } from "./warnings.ts";

const PAGE = 500;

export interface SiteView extends Omit<SiteSettings, "paymentProviders"> {
  readonly paymentProviders: readonly ProviderView[];
  readonly version: number;
  readonly warnings: readonly SiteWarning[];
}

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

/** A provider with the version of the settings that it is part of. */
export interface VersionedProvider {
  readonly provider: ProviderView;
  readonly version: number;
}

export interface SiteAdmin {
  read(): Promise<SiteView>;
  /**
   * @throws AppError `invalid`, `stale_version`, `version_conflict`, or `conflict` for a currency that is in use,
   *   a provider whose secret would be lost, or the demo payment in a shop that people reach over https
   */
  change(patch: SitePatch, by: ChangeBy): Promise<SiteView>;
  /** One payment provider by its word; each throws as `change` does, and `not_found`. A secret that is left out stays, "" removes it. */
  readonly providers: {
    read(word: string): Promise<VersionedProvider>;
    /** Makes or replaces it: what is left out falls back to its default. */
    put(word: string, fields: ProviderFields, by: ChangeBy): Promise<VersionedProvider>;
    /** Changes what is named. */
    change(word: string, fields: ProviderFields, by: ChangeBy): Promise<VersionedProvider>;
    remove(word: string, by: ChangeBy): Promise<void>;
  };
}

type SiteDeps = Pick<ShopDeps, "store" | "clock" | "box" | "publicUrl">;
type Stored = VersionedSettings<SiteSettings>;

function toView({ box }: SiteDeps, { fields, version }: Stored): SiteView {
  const paymentProviders = fields.paymentProviders.map(toProviderView);
  return { ...fields, paymentProviders, version, warnings: listSiteWarnings(fields, box) };
}

function isInCircle(site: SiteSettings, id: string): boolean {
  const parents = new Map(site.categories.map((category) => [category.id, category.parentId]));
  let at = parents.get(id) ?? "";
  for (let steps = 0; steps <= site.categories.length && at !== ""; steps += 1) {
    if (at === id) return true;
    at = parents.get(at) ?? "";
  }
  return false;
}

/** What the schema alone cannot see. */
function checkSite(site: SiteSettings): void {
  const errors: FieldError[] = [];
  const add = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  const ids = site.categories.map(({ id }) => id);
  site.categories.forEach(({ id, parentId }, index) => {
    if (ids.indexOf(id) !== index) add(`/categories/${index}/id`, "must be there once");
    if (parentId !== "" && !ids.includes(parentId))
      add(`/categories/${index}/parentId`, "must be the id of another category");
    else if (isInCircle(site, id))
      add(`/categories/${index}/parentId`, "must not lead back to the category itself");
  });
  const slugs = site.pages.map(({ slug }) => slug);
  slugs.forEach((slug, index) => {
    if (slugs.indexOf(slug) !== index) add(`/pages/${index}/slug`, "must be there once");
  });
  const { startsAt = 0, endsAt = Number.POSITIVE_INFINITY } = site.announcement ?? {};
  if (endsAt <= startsAt) add("/announcement/endsAt", "must be later than startsAt");
  if (errors.length > 0) throw new AppError("invalid", "The settings contradict each other", { errors });
}

/** Prices mean something else in another currency, so they are changed first. */
async function checkCurrency(tx: ReadTx, { currency }: SiteSettings): Promise<void> {
  const open = await tx.list(orders, "byStatus", { prefix: ["pending_payment"], limit: 1_000 });
  if (open.items.some((order) => order.currency !== currency)) {
    throw new AppError(
      "conflict",
      "Orders in the former currency wait for payment: close the checkout (checkoutOpen: false) and wait until they are paid or have expired, or cancel them",
    );
  }
  for (const status of ["published", "draft"]) {
    const walk = { index: "byStatus", range: { prefix: [status] }, pageSize: PAGE } as const;
    for await (const page of pagesOf(tx, products, walk)) {
      const other = page.find((product) => product.currency !== currency);
      if (other !== undefined) {
        throw new AppError(
          "conflict",
          `Products have prices in another currency, such as "${other.slug}" in ${other.currency}: archive them or give them prices in ${currency} first`,
        );
      }
    }
  }
}

function checkVersion(present: number, { version }: ChangeBy): void {
  if (version === undefined || version === present) return;
  const details = { currentVersion: present };
  throw new AppError("version_conflict", "Someone changed these settings in the meantime; read them again", {
    details,
  });
}

/** Refuses names in braces that nothing fills in; addresses that were stored before stay. */
function checkTemplates(site: SiteSettings, before: SiteSettings): void {
  const errors: FieldError[] = [];
  const check = (pointer: string, [now, then]: readonly (string | undefined)[], names: readonly string[]) => {
    const unknown = now === then ? undefined : findUnknownPlaceholder(now ?? "", names);
    if (unknown === undefined) return;
    const known = names.map((name) => `{${name}}`).join(", ");
    errors.push({ pointer, code: "invalid", message: `has {${unknown}}; what is filled in: ${known}` });
  };
  for (const name of ["orderUrlTemplate", "productUrlTemplate"] as const)
    check(`/${name}`, [site[name], before[name]], templatePlaceholders[name]);
  site.paymentProviders.forEach(({ word, payUrlTemplate }, index) => {
    const old = before.paymentProviders.find((one) => one.word === word)?.payUrlTemplate;
    const pointer = `/paymentProviders/${index}/payUrlTemplate`;
    check(pointer, [payUrlTemplate, old], templatePlaceholders.payUrlTemplate);
  });
  if (errors.length > 0)
    throw new AppError("invalid", "An address has a name that nothing fills in", { errors });
}

/** The settings that a patch makes of those before. */
function patchSite(box: SecretBox, patch: SitePatch, before: SiteSettings): SiteSettings {
  const { paymentProviders: given, ...rest } = patch;
  const after = applyPatch(siteSettingsSchema, before, rest);
  if (given === undefined) return { ...after, paymentProviders: before.paymentProviders };
  const list = z.array(z.looseObject({ word: z.string() })).parse(given);
  assertNoneLost(list, before.paymentProviders);
  const paymentProviders = list.map((one, index) =>
    toProvider(box, one, {
      before: before.paymentProviders.find(({ word }) => word === one.word),
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
    const fields = edit(before);
    checkSite(fields);
    checkTemplates(fields, before);
    if (fields.paymentProviders !== before.paymentProviders)
      assertMayDemo(publicUrl, fields.paymentProviders);
    if (fields.currency !== before.currency) await checkCurrency(tx, fields);
    const { actor, ifMatch: version } = by;
    return replaceSettings(tx, { group: "site", fields, version, actor, clock });
  });
}

function createProviders(deps: SiteDeps): SiteAdmin["providers"] {
  const { store, box } = deps;
  const pick = ({ fields, version }: Stored, word: string): VersionedProvider => ({
    provider: toProviderView(getProvider(fields.paymentProviders, word)),
    version,
  });
  /** Replaces the provider of a word by what `make` gives for the stored one. */
  const edit = async (
    word: string,
    make: (before: readonly Provider[]) => ProviderFields,
    by: ChangeBy,
  ): Promise<VersionedProvider> => {
    const stored = await change(
      deps,
      (site) => {
        const before = site.paymentProviders.find((one) => one.word === word);
        const provider = toProvider(box, { ...make(site.paymentProviders), word }, { before, at: "" });
        return { ...site, paymentProviders: withProvider(site.paymentProviders, provider) };
      },
      by,
    );
    return pick(stored, word);
  };
  return {
    read: async (word) => pick(await store.read((tx) => readSettings(tx, "site")), word),
    put: (word, fields, by) => edit(word, () => fields, by),
    change: (word, fields, by) =>
      edit(
        word,
        (all) => {
          const { secret: _sealed, ...before } = getProvider(all, word);
          return { ...before, ...fields };
        },
        by,
      ),
    remove: async (word, by) => {
      await change(
        deps,
        (site) => {
          getProvider(site.paymentProviders, word);
          const paymentProviders = site.paymentProviders.filter((one) => one.word !== word);
          return { ...site, paymentProviders };
        },
        by,
      );
    },
  };
}

/** Makes the administration of the site. */
export function createSiteAdmin(deps: SiteDeps): SiteAdmin {
  return {
    read: async () => toView(deps, await deps.store.read((tx) => readSettings(tx, "site"))),
    change: async (patch, by) =>
      toView(deps, await change(deps, (before) => patchSite(deps.box, patch, before), by)),
    providers: createProviders(deps),
  };
}
