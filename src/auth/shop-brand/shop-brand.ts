/**
 * The shop's brand at the auth center, so that its owner sets it once. It is read from the configured address of the
 * install's own shop and from nowhere else, and what was read last stays while the shop is unavailable.
 */
import { type AccentTheme, toReadable } from "../../kit/brand/accent.ts";
import { findNewLogoFault } from "../../kit/brand/logo-change.ts";
import type { Tx } from "../../store/store.ts";
import { clients } from "../applications/records.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readSettings } from "../settings/settings.ts";
import { shopBrands } from "./records.ts";
import { type PublishedBrand, type ShopBrandRecord, publishedBrandSchema } from "./schema.ts";

const MAX_NAME = 60;
const ID = "shop";

type Fields = Omit<ShopBrandRecord, "version" | "takenAt">;

/** The nearest shade that can be read; the center's surfaces are not the shop's. */
function correct(color: string, theme: AccentTheme): string {
  return color === "" ? "" : toReadable(color, theme);
}

/** What is taken over; a logo that the center would not take from its owner is left out. */
function toFields({ name, logo, color, accent }: PublishedBrand): Fields {
  return {
    id: ID,
    name: name
      .replaceAll(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, MAX_NAME)
      .trim(),
    logo: findNewLogoFault(logo) === undefined ? logo : "",
    accent: {
      light: correct(color === "" ? accent.light : color, "light"),
      dark: correct(color === "" ? accent.dark : color, "dark"),
    },
  };
}

function isSame(a: Fields, b: Fields): boolean {
  const { light, dark } = a.accent;
  return a.name === b.name && a.logo === b.logo && light === b.accent.light && dark === b.accent.dark;
}

function parseBrand(text: string): PublishedBrand | undefined {
  try {
    return publishedBrandSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What the application is called until the shop says its name. */
export const SHOP_NAME = "Shop";

/** Names the application as the shop is named, unless an administrator named it. */
async function nameApplication(tx: Tx, before: string | undefined, name: string): Promise<void> {
  const client = await tx.get(clients, ID);
  if (client?.isOwn !== true || client.name === name) return;
  if (client.name !== SHOP_NAME && client.name !== before) return;
  await tx.put(clients, { ...client, name, editVersion: client.editVersion + 1 });
}

/** Removes the brand; resolves with whether there was one. */
async function removeBrand(tx: Tx): Promise<boolean> {
  const present = await tx.get(shopBrands, ID);
  if (present === undefined) return false;
  await nameApplication(tx, present.name, SHOP_NAME);
  await tx.remove(shopBrands, ID);
  return true;
}

/**
 * Brings the kept brand up to date. `read` returns the body of the shop's answer, or undefined when there is none; what
 * cannot be read changes nothing. Removes the brand when the setting is off.
 */
export async function keepShopBrand(
  { store, clock }: Pick<AuthDeps, "store" | "clock">,
  read: () => Promise<string | undefined>,
): Promise<"kept" | "changed" | "removed" | "unreadable"> {
  const { isWanted, isOwn } = await store.read(async (tx) => ({
    isWanted: (await readSettings(tx, "branding")).fields.shopBrand,
    isOwn: (await tx.get(clients, ID))?.isOwn === true,
  }));
  if (!isWanted || !isOwn)
    return store.transact(async (tx) => ((await removeBrand(tx)) ? "removed" : "kept"));
  const published = parseBrand((await read()) ?? "");
  const fields = published && toFields(published);
  if (fields === undefined || fields.name === "") return "unreadable";
  return store.transact(async (tx) => {
    const present = await tx.get(shopBrands, ID);
    if (present !== undefined && isSame(present, fields)) return "kept";
    await nameApplication(tx, present?.name, fields.name);
    const takenAt = clock.now();
    if (present === undefined) await tx.insert(shopBrands, { ...fields, takenAt });
    else await tx.put(shopBrands, { ...present, ...fields, takenAt });
    return "changed";
  });
}
