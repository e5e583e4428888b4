/** The site's settings as an administrator reads and changes them. Hidden here: merging, and that secrets go in sealed and never come out. */
import { AppError } from "../kit/errors.ts";
import type { FieldError } from "../kit/errors.ts";
import { newSecret } from "../kit/id.ts";
import type { SettingsPatch } from "../kit/settings-patch.ts";
import { applyPatch } from "../kit/settings-patch.ts";
import type { ReadTx } from "../store/store.ts";
import type { Actor } from "./caller.ts";
import type { ShopDeps } from "./deps.ts";
import { orders, products } from "./records.ts";
import { PROVIDER_PURPOSE } from "./notice-proof.ts";
import { readSettings, replaceSettings } from "./settings.ts";
import type { Provider, SiteSettings } from "./site-schema.ts";
import { DEMO_WORD, siteSettingsSchema } from "./site-schema.ts";
import type { SiteWarning } from "./site-warnings.ts";
import { listSiteWarnings } from "./site-warnings.ts";

const PAGE = 500;

export interface ProviderView extends Omit<Provider, "secret"> {
  readonly hasSecret: boolean;
  /** Where its notices go. */
  readonly webhookPath: string;
}

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

export interface SiteAdmin {
  read(): Promise<SiteView>;
  /** @throws AppError `invalid`, `stale_version`, `version_conflict`, or `conflict` for a currency that is in use */
  change(patch: SitePatch, by: ChangeBy): Promise<SiteView>;
}

type SiteDeps = Pick<ShopDeps, "store" | "clock" | "box">;

function toView({ fields, version }: { fields: SiteSettings; version: number }): SiteView {
  const paymentProviders = fields.paymentProviders.map(({ secret, ...rest }) => ({
    ...rest,
    hasSecret: secret !== undefined,
    webhookPath: `/api/webhooks/${rest.word}-pay`,
  }));
  return { ...fields, paymentProviders, version, warnings: listSiteWarnings(fields) };
}

/** Seals new secrets; left out, the stored one of the word stays; "" removes it. */
function sealSecrets({ box }: SiteDeps, given: readonly Provider[], before: readonly Provider[]): Provider[] {
  return given.map(({ secret, ...rest }) => {
    const kept = before.find(({ word }) => word === rest.word)?.secret;
    const next = secret === undefined ? kept : secret === "" ? undefined : box.seal(secret, PROVIDER_PURPOSE);
    return next === undefined ? rest : { ...rest, secret: next };
  });
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
    let cursor: string | undefined;
    do {
      const page = await tx.list(products, "byStatus", {
        prefix: [status],
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const other = page.items.find((product) => product.currency !== currency);
      if (other !== undefined) {
        throw new AppError(
          "conflict",
          `Products have prices in another currency, such as "${other.slug}" in ${other.currency}: archive them or give them prices in ${currency} first`,
        );
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

function checkVersion(present: number, { version }: ChangeBy): void {
  if (version === undefined || version === present) return;
  const details = { currentVersion: present };
  throw new AppError("version_conflict", "Someone changed these settings in the meantime; read them again", {
    details,
  });
}

function change(deps: SiteDeps, patch: SitePatch, by: ChangeBy): Promise<SiteView> {
  const { store, clock } = deps;
  return store.transact(async (tx) => {
    const { fields: before, version: present } = await readSettings(tx, "site");
    checkVersion(present, by);
    const after = applyPatch(siteSettingsSchema, before, patch);
    const isNew = patch["paymentProviders"] !== undefined;
    const paymentProviders = isNew
      ? sealSecrets(deps, after.paymentProviders, before.paymentProviders)
      : before.paymentProviders;
    const fields = { ...after, paymentProviders };
    checkSite(fields);
    if (fields.currency !== before.currency) await checkCurrency(tx, fields);
    const { actor, ifMatch: version } = by;
    return toView(await replaceSettings(tx, { group: "site", fields, version, actor, clock }));
  });
}

/** Makes the administration of the site. */
export function createSiteAdmin(deps: SiteDeps): SiteAdmin {
  return {
    read: async () => toView(await deps.store.read((tx) => readSettings(tx, "site"))),
    change: (patch, by) => change(deps, patch, by),
  };
}

/** Gives the demo provider a secret of its own if it has none, so that its notices can be signed from the start. */
export async function ensureDemoSecret({ store, clock, box }: SiteDeps): Promise<void> {
  await store.transact(async (tx) => {
    const { fields } = await readSettings(tx, "site");
    const isLacking = ({ word, secret }: Provider): boolean => word === DEMO_WORD && secret === undefined;
    if (!fields.paymentProviders.some(isLacking)) return;
    const paymentProviders = fields.paymentProviders.map((provider) =>
      isLacking(provider)
        ? { ...provider, secret: box.seal(newSecret("whsec"), PROVIDER_PURPOSE) }
        : provider,
    );
    const actor = { name: "system", clientId: "shop", requestId: "start" };
    await replaceSettings(tx, { group: "site", fields: { ...fields, paymentProviders }, actor, clock });
  });
}
