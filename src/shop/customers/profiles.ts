/** Profiles of imported customers: stored by imports, joined with accounts, removed with the customer. */
import { AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { toVatFault } from "../tax/business.ts";
import { readVatId, toCompactVatId } from "../tax/vat-id.ts";
import { toGuestId } from "./identity.ts";
import { customerProfiles } from "./records.ts";
import type { ProfileChange } from "./change-schema.ts";
import type { CustomerProfile, ProfileFields } from "./profile-schema.ts";

/** Stores a profile, or what an import says of one that exists: what the import does not say stays. */
export async function putProfile(
  tx: Tx,
  before: CustomerProfile | undefined,
  { id, email, nowMs, fields }: { id: string; email: string; nowMs: number; fields: ProfileFields },
): Promise<CustomerProfile> {
  const { tags, addresses, ...said } = fields;
  if (before === undefined)
    return tx.insert(customerProfiles, {
      id,
      email,
      emailLower: email.toLowerCase(),
      ...fields,
      createdAt: nowMs,
      updatedAt: nowMs,
    });
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return tx.put(customerProfiles, {
    ...before,
    ...known,
    tags: [...new Set([...before.tags, ...tags])].slice(0, 50),
    addresses: addresses.length === 0 ? before.addresses : addresses,
    updatedAt: nowMs,
  });
}

/** The profile of a customer: of a guest's mailbox, or of an account that joined one. */
export async function findProfile(
  tx: ReadTx,
  { id, userId }: { readonly id: string; readonly userId?: string | undefined },
): Promise<CustomerProfile | undefined> {
  if (userId === undefined) return tx.get(customerProfiles, id);
  const { items } = await tx.list(customerProfiles, "byAccount", { prefix: [userId], limit: 1 });
  return items[0];
}

/** The number as it is compared and printed. @throws AppError `invalid` for one of the EU that cannot be right */
function toVatText(typed: string): string {
  const read = readVatId(typed);
  if (typeof read === "object") return read.text;
  // Numbers of other countries have forms of their own.
  if (read === "unknown") return toCompactVatId(typed);
  throw new AppError("invalid", "The VAT ID is not valid", { errors: [toVatFault(typed, read)] });
}

/** Corrects what an import says; resolves with the names of what changed. @throws AppError `conflict`, `invalid` */
export async function changeProfile(
  tx: Tx,
  customer: { readonly id: string; readonly userId?: string | undefined },
  { change, nowMs }: { readonly change: ProfileChange; readonly nowMs: number },
): Promise<string[]> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  const before = await findProfile(tx, customer);
  if (before === undefined)
    throw new AppError("conflict", "Only details of imported customers can be changed. Others enter theirs");
  const fields = Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined]));
  const { vatId } = change;
  const after = {
    ...before,
    ...fields,
    ...(typeof vatId === "string" ? { vatId: toVatText(vatId) } : {}),
    updatedAt: nowMs,
  };
  const changed = given
    .map(([name]) => name)
    .filter((name) => JSON.stringify(Reflect.get(after, name)) !== JSON.stringify(Reflect.get(before, name)));
  if (changed.length > 0) await tx.put(customerProfiles, after);
  return changed;
}

/** Removes what imports brought about a customer. */
export async function removeProfiles(
  tx: Tx,
  { id, userId }: { readonly id: string; readonly userId?: string | undefined },
): Promise<void> {
  const own = await tx.get(customerProfiles, id);
  if (own !== undefined) await tx.remove(customerProfiles, id);
  if (userId === undefined) return;
  for (const joined of await listEvery(tx, customerProfiles, {
    index: "byAccount",
    range: { prefix: [userId] },
  }))
    await tx.remove(customerProfiles, joined.id);
}

interface Deps {
  readonly store: Store;
  readonly box: Pick<SecretBox, "lookup">;
  readonly clock: { now(): number };
}

/**
 * Joins profiles with the account of who proved to have their email addresses, which the auth center has verified; an
 * address must be the same, since not every mail server takes "ann+1@" for "ann@". Resolves with the profile of the account.
 */
export function createProfileJoin({ store, box, clock }: Deps) {
  return async (userId: string, verified: readonly string[]): Promise<CustomerProfile | undefined> => {
    const ids = verified.map((address) => toGuestId(box, address));
    const addresses = new Set(verified.map((address) => address.toLowerCase()));
    const isFree = (profile: CustomerProfile | undefined): profile is CustomerProfile =>
      profile !== undefined && profile.account === undefined && addresses.has(profile.emailLower);
    const { joined, free } = await store.read(async (tx) => ({
      joined: await findProfile(tx, { id: "", userId }),
      free: (await Promise.all(ids.map((id) => tx.get(customerProfiles, id)))).filter(isFree),
    }));
    if (free.length === 0) return joined;
    return store.transact(async (tx) => {
      for (const { id } of free) {
        const profile = await tx.get(customerProfiles, id);
        if (isFree(profile))
          await tx.put(customerProfiles, { ...profile, account: userId, updatedAt: clock.now() });
      }
      return findProfile(tx, { id: "", userId });
    });
  };
}

export type ProfileJoin = ReturnType<typeof createProfileJoin>;
