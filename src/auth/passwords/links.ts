/**
 * One-time links to set a password: a new one ends those before, and each is good only while the account
 * has the mailbox that it was sent to.
 */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { findByEmail, toEmailKey } from "../accounts/accounts.ts";
import { links } from "./records.ts";
import { users } from "../accounts/records.ts";

/** The owner of the link and the mailbox that it went to. */
export interface TakenLink {
  readonly userId: string;
  readonly sentTo: string | undefined;
}

export interface LinkOptions {
  readonly userId: string;
  readonly purpose: "reset" | "set-password";
  /** The account's primary address unless told. */
  readonly sentTo?: string;
  readonly nowMs: number;
  readonly ttlMs: number;
}

/** Creates a link's token in place of the account's earlier ones: `rst_` and 32 random bytes. */
export async function issueLink(tx: Tx, options: LinkOptions): Promise<string> {
  const { userId, purpose, nowMs, ttlMs } = options;
  // A link without an account is one for an unknown address: there are many, and each goes when it expires.
  if (userId !== "") await endLinks(tx, userId);
  const sentTo = options.sentTo ?? (await tx.get(users, userId))?.email;
  const token = newSecret("rst");
  await tx.insert(links, {
    id: hashSecret(token),
    userId,
    purpose,
    sentTo: sentTo === undefined ? undefined : toEmailKey(sentTo),
    createdAt: nowMs,
    expiresAt: nowMs + ttlMs,
  });
  return token;
}

/**
 * The owner of a token, without using it up; undefined if it is invalid, or its email address is no longer a recovery
 * address of the account.
 */
export async function findLinkOwner(tx: ReadTx, token: string, nowMs: number): Promise<string | undefined> {
  const link = await tx.get(links, hashSecret(token));
  if (link === undefined || link.expiresAt <= nowMs || link.userId === "") return undefined;
  const owner = link.sentTo === undefined ? undefined : await findByEmail(tx, link.sentTo, "recovery");
  return owner?.id === link.userId ? link.userId : undefined;
}

/** Spends a token; undefined when it is not valid. */
export async function takeLink(tx: Tx, token: string, nowMs: number): Promise<TakenLink | undefined> {
  const id = hashSecret(token);
  const userId = await findLinkOwner(tx, token, nowMs);
  const sentTo = (await tx.get(links, id))?.sentTo;
  await tx.remove(links, id);
  return userId === undefined ? undefined : { userId, sentTo };
}

/** Ends all of an account's links. */
export async function endLinks(tx: Tx, userId: string): Promise<void> {
  const { items } = await tx.list(links, "byUser", { prefix: [userId], limit: 100 });
  for (const link of items) await tx.remove(links, link.id);
}
