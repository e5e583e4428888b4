/** Giving accounts away, a line each, page by page so that memory does not grow with them. */
import type { Page, ReadTx, Store } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { profiles, users } from "../records.ts";
import type { z } from "zod";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { transferLineSchema } from "./schema.ts";
import type { UserRecord } from "../accounts/schema.ts";

const BATCH = 200;

/** What a line has of an account: its record's members, and times in ISO 8601. */
function toLine(
  user: UserRecord,
  displayName: string | undefined,
  hashes: boolean,
): z.input<typeof transferLineSchema> | undefined {
  const { username, email, role, status, suspendedUntil, suspendedReason, points } = user;
  if (status === "deleted") return undefined;
  return {
    username,
    email,
    emailVerified: user.emailVerifiedAt !== undefined,
    displayName,
    passwordHash: hashes ? user.passwordHash : undefined,
    role,
    status,
    suspendedUntil: suspendedUntil === undefined ? undefined : toIsoTime(suspendedUntil),
    suspendedReason,
    points,
    createdAt: toIsoTime(user.createdAt),
    locale: user.locale,
    timeZone: user.timeZone,
  };
}

async function readPart(
  tx: ReadTx,
  options: { cursor: string | undefined; hashes: boolean },
): Promise<{ text: string; nextCursor: string | undefined }> {
  const { cursor, hashes } = options;
  const page: Page<UserRecord> = await tx.list(users, "id", { limit: BATCH, cursor });
  let text = "";
  for (const user of page.items) {
    const profile = await tx.get(profiles, user.id);
    const line = toLine(user, profile?.displayName, hashes);
    if (line !== undefined) text += `${JSON.stringify(line)}\n`;
  }
  return { text, nextCursor: page.nextCursor };
}

async function* readAll(store: Store, hashes: boolean): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  do {
    const from = cursor;
    const part = await store.read((tx) => readPart(tx, { cursor: from, hashes }));
    if (part.text !== "") yield part.text;
    cursor = part.nextCursor;
  } while (cursor !== undefined);
}

export type UserExport = ReturnType<typeof createUserExport>;

/** Makes the export of accounts. */
export function createUserExport(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store, clock } = deps;
  return {
    /** Notes that accounts were given away, then resolves with their lines in parts, the oldest account first. */
    start: async (options: { hashes: boolean; actor: Actor }): Promise<AsyncGenerator<string, void>> => {
      const { hashes, actor } = options;
      const changes = [`hashes: ${String(hashes)}`];
      await store.transact((tx) =>
        writeAudit(tx, { actor, action: "user.export", target: "users", changes }, clock),
      );
      return readAll(store, hashes);
    },
  };
}
