/** Shipping methods as administrators keep them: a part of the site's settings, so that a checkout reads nothing more. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import type { ChangedBy } from "../../records/versions.ts";
import type { ShopDeps } from "../base/deps.ts";
import { checkVersion } from "../settings/settings-admin.ts";
import { type ShippingMethod, shippingMethodSchema, shippingSettingsSchema } from "../site/selling-schema.ts";
import { readSettings, replaceSettings } from "../site/settings.ts";
import { sortMethods } from "./quotes.ts";

/** A method with the version of the settings that it is part of. */
export interface VersionedMethod {
  readonly method: ShippingMethod;
  readonly version: number;
}

function getMethod(methods: readonly ShippingMethod[], id: string): ShippingMethod {
  const method = methods.find((one) => one.id === id);
  if (method === undefined) throw new AppError("not_found", "There is no such shipping method");
  return method;
}

/** The administration of shipping methods; each change throws `invalid`, `version_conflict`, `stale_version`. */
export class ShippingMethods {
  readonly #deps: Pick<ShopDeps, "store" | "clock">;

  constructor(deps: Pick<ShopDeps, "store" | "clock">) {
    this.#deps = deps;
  }

  /** All of them, in their order. */
  async list(): Promise<{ readonly items: readonly ShippingMethod[]; readonly version: number }> {
    const { fields, version } = await this.#deps.store.read((tx) => readSettings(tx, "site"));
    return { items: sortMethods(fields.shipping.methods), version };
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<VersionedMethod> {
    const { items, version } = await this.list();
    return { method: getMethod(items, id), version };
  }

  create(fields: Omit<ShippingMethod, "id">, by: ChangedBy): Promise<VersionedMethod> {
    const method = { ...fields, id: newId("shm", this.#deps.clock.now()) };
    return this.#edit(method.id, (all) => [...all, method], by);
  }

  /** Changes what is named; null takes away. Throws `not_found`. */
  change(id: string, fields: SettingsPatch, by: ChangedBy): Promise<VersionedMethod> {
    const edit = (all: readonly ShippingMethod[]): ShippingMethod[] => {
      const before = getMethod(all, id);
      const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
      // Texts are replaced as a whole: those of an omitted language are removed.
      const isKept = (name: string): boolean =>
        fields[name] !== null && !(name === "translations" && name in named);
      const kept = Object.fromEntries(Object.entries(before).filter(([name]) => isKept(name)));
      const after = applyPatch(shippingMethodSchema, kept, named);
      return all.map((one) => (one.id === id ? after : one));
    };
    return this.#edit(id, edit, by);
  }

  /** Throws `not_found`. */
  async remove(id: string, by: ChangedBy): Promise<void> {
    await this.#store((all) => {
      const gone = getMethod(all, id);
      return all.filter((one) => one !== gone);
    }, by);
  }

  async #edit(
    id: string,
    edit: (all: readonly ShippingMethod[]) => ShippingMethod[],
    by: ChangedBy,
  ): Promise<VersionedMethod> {
    const { methods, version } = await this.#store(edit, by);
    return { method: getMethod(methods, id), version };
  }

  #store(
    edit: (all: readonly ShippingMethod[]) => ShippingMethod[],
    by: ChangedBy,
  ): Promise<{ methods: readonly ShippingMethod[]; version: number }> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const { fields: before, version: present } = await readSettings(tx, "site");
      checkVersion(present, by);
      const shipping = applyPatch(shippingSettingsSchema, before.shipping, {
        methods: edit(before.shipping.methods),
      });
      const fields = { ...before, shipping };
      const { actor, ifMatch: version } = by;
      const stored = await replaceSettings(tx, { group: "site", fields, version, actor, clock });
      return { methods: shipping.methods, version: stored.version };
    });
  }
}
