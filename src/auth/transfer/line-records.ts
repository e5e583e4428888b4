/** The records of an imported line, or why it is rejected. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import {
  assertUsernameFree,
  createAccount,
  findByEmail,
  putUser,
  toEmailKey,
  toUsernameKey,
} from "../accounts/accounts.ts";
import { assertNewClient, insertClient } from "../applications/clients.ts";
import type { Actor } from "../base/caller.ts";
import { assertGroups, assertNewGroup, insertGroup, joinGroups } from "../groups/groups.ts";
import { readSettings } from "../settings/settings.ts";
import type { LineType, TransferLine } from "./schema.ts";

type LineOf<T extends LineType> = Extract<TransferLine, { type: T }>;

/** What earlier lines of a trial would have taken; empty in a real import. */
export type Seen = Set<string>;

/** The unique keys of a line. */
function keysOf(line: TransferLine): string[] {
  switch (line.type) {
    case "account":
      return [`username ${toUsernameKey(line.username)}`, `address ${toEmailKey(line.email)}`];
    case "group":
      return [`group ${line.id}`];
    case "application":
      return [`application ${line.id}`, ...line.protectedOrigins.map((origin) => `origin ${origin}`)];
  }
}

/** Remembers what a line would have made. */
export function remember(seen: Seen, line: TransferLine): void {
  for (const key of keysOf(line)) seen.add(key);
}

async function assertNewAccount(tx: ReadTx, { username, email }: LineOf<"account">): Promise<void> {
  await assertUsernameFree(tx, username);
  if ((await findByEmail(tx, email)) !== undefined)
    throw new AuthError("email_taken", `The email address "${email}" already belongs to another account`);
}

/** Throws `username_taken`, `email_taken`, `already_exists`, `invalid` for what the center, or an earlier line, has against it. */
export async function assertLine(
  tx: ReadTx,
  line: TransferLine,
  { seen, issuer }: { seen: Seen; issuer: string },
): Promise<void> {
  const isUnseen = (id: string): boolean => !seen.has(`group ${id}`);
  switch (line.type) {
    case "account":
      await assertNewAccount(tx, line);
      await assertGroups(tx, line.groups.filter(isUnseen), "/groups");
      break;
    case "group":
      await assertNewGroup(tx, line.id);
      break;
    case "application":
      await assertNewClient(tx, { ...line, allowedGroups: line.allowedGroups.filter(isUnseen) }, issuer);
  }
  const taken = keysOf(line).find((key) => seen.has(key));
  if (taken === undefined) return;
  const [what = ""] = taken.split(" ");
  const message = `An earlier line has the same ${what}`;
  if (what === "username" || what === "address")
    throw new AuthError(what === "username" ? "username_taken" : "email_taken", message);
  throw new AppError(what === "origin" ? "invalid" : "already_exists", message);
}

async function insertAccount(
  tx: Tx,
  line: LineOf<"account">,
  { actor, nowMs }: { actor: Actor; nowMs: number },
): Promise<void> {
  const { type: _type, emailVerified, createdAt, suspendedUntil, suspendedReason, groups, ...rest } = line;
  const user = await createAccount(tx, {
    ...rest,
    locale: rest.locale ?? (await readSettings(tx, "registration")).fields.language,
    emailVerifiedAt: emailVerified ? nowMs : undefined,
    registeredVia: { clientId: actor.clientId, mode: "import" },
    // The id sorts by it, so that lists keep the order in which people came.
    nowMs: createdAt ?? nowMs,
  });
  const joined = groups.length === 0 ? user : await joinGroups(tx, user, groups);
  if (user.status !== "suspended") return;
  await putUser(tx, { ...joined, suspendedUntil, suspendedReason }, { edited: false });
}

/** Stores what {@link assertLine} lets pass. */
export async function insertLine(
  tx: Tx,
  line: TransferLine,
  by: { actor: Actor; nowMs: number },
): Promise<void> {
  const { createdAt = by.nowMs } = line;
  switch (line.type) {
    case "account":
      return insertAccount(tx, line, by);
    case "group":
      await insertGroup(tx, { id: line.id, title: line.title, nowMs: createdAt });
      return;
    case "application": {
      const { type: _type, secretHash = hashSecret(newSecret("sec")), ...fields } = line;
      await insertClient(tx, { ...fields, secretHash, createdAt });
    }
  }
}
