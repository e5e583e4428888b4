/** One-time links to set a password. Hidden here: their tokens, and that a new one ends those before. */
import { hashSecret } from "../kit/admin-token.ts";
import { newSecret } from "../kit/id.ts";
import type { ReadTx, Tx } from "../store/store.ts";
import { links } from "./records.ts";

export interface LinkOptions {
  readonly userId: string;
  readonly purpose: "reset" | "set-password";
  readonly nowMs: number;
  readonly ttlMs: number;
}

/** Makes a link's token in place of the account's earlier ones: `rst_` and 32 random bytes. */
export async function issueLink(tx: Tx, options: LinkOptions): Promise<string> {
  const { userId, purpose, nowMs, ttlMs } = options;
  // A link for nobody stands for one of an unknown address: there are many, and each goes when it expires.
  if (userId !== "") await endLinks(tx, userId);
  const token = newSecret("rst");
  await tx.insert(links, {
    id: hashSecret(token),
    userId,
    purpose,
    createdAt: nowMs,
    expiresAt: nowMs + ttlMs,
  });
  return token;
}

/** Whose token this is, without spending it; undefined when it is not valid. */
export async function findLinkOwner(tx: ReadTx, token: string, nowMs: number): Promise<string | undefined> {
  const link = await tx.get(links, hashSecret(token));
  return link !== undefined && link.expiresAt > nowMs && link.userId !== "" ? link.userId : undefined;
}

/** Spends a token; resolves with whose it is, or undefined when it is not valid. */
export async function takeLink(tx: Tx, token: string, nowMs: number): Promise<string | undefined> {
  const owner = await findLinkOwner(tx, token, nowMs);
  await tx.remove(links, hashSecret(token));
  return owner;
}

/** Ends all of an account's links. */
export async function endLinks(tx: Tx, userId: string): Promise<void> {
  const { items } = await tx.list(links, "byUser", { prefix: [userId], limit: 100 });
  for (const link of items) await tx.remove(links, link.id);
}

/** Where a token is used: an address with the token put in, or the token alone where no page is set. */
export function toLinkText(resetUrl: string, token: string): string {
  return resetUrl === "" ? token : resetUrl.replaceAll("{token}", token);
}
