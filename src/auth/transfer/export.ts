/** Giving accounts, groups and applications away, a line each, page by page so that memory does not grow with them. */
import type { Collection, ReadTx, Store, StoreRecord } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { groups } from "../groups/records.ts";
import { profiles, users } from "../accounts/records.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { WrittenLine } from "./schema.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { GroupRecord } from "../groups/schema.ts";

const BATCH = 200;

/** Data of an export in addition to accounts. */
export interface ExportOptions {
  /** Hashes of passwords, and of applications' secrets. */
  readonly hashes: boolean;
  /** Groups, applications, and who is in which group. */
  readonly applications: boolean;
}

/** An account's line: its record's members, and times in ISO 8601. */
async function toAccountLine(
  tx: ReadTx,
  user: UserRecord,
  { hashes, applications }: ExportOptions,
): Promise<WrittenLine | undefined> {
  const { username, email, role, status, suspendedUntil, suspendedReason, points } = user;
  if (status === "deleted") return undefined;
  return {
    username,
    email,
    emailVerified: user.emailVerifiedAt !== undefined,
    displayName: (await tx.get(profiles, user.id))?.displayName,
    passwordHash: hashes ? user.passwordHash : undefined,
    role,
    status,
    suspendedUntil: suspendedUntil === undefined ? undefined : toIsoTime(suspendedUntil),
    suspendedReason,
    points,
    createdAt: toIsoTime(user.createdAt),
    locale: user.locale,
    timeZone: user.timeZone,
    groups: applications ? user.groups : undefined,
  };
}

function toGroupLine({ id, title, createdAt }: GroupRecord): WrittenLine {
  return { type: "group", id, title, createdAt: toIsoTime(createdAt) };
}

/** Services of the install register themselves, wherever they are. */
function toApplicationLine(client: ClientRecord, { hashes }: ExportOptions): WrittenLine | undefined {
  const { version: _version, editVersion: _edits, secretHash, createdAt, isOwn, ...fields } = client;
  if (isOwn) return undefined;
  const secret = hashes ? { secretHash } : {};
  return { type: "application", ...fields, createdAt: toIsoTime(createdAt), ...secret };
}

/** The lines of a collection in parts, each read in a separate view. */
async function* readLines<T extends StoreRecord>(
  store: Store,
  collection: Collection<T>,
  toLine: (tx: ReadTx, record: T) => Promise<WrittenLine | undefined> | WrittenLine | undefined,
): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  do {
    const from = cursor;
    const { text, nextCursor } = await store.read(async (tx) => {
      const page = await tx.list(collection, "id", { limit: BATCH, cursor: from });
      const lines = [];
      for (const record of page.items) lines.push(await toLine(tx, record));
      const written = lines.filter((line) => line !== undefined);
      return { ...page, text: written.map((line) => `${JSON.stringify(line)}\n`).join("") };
    });
    if (text !== "") yield text;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

/** Groups go before what names them. */
async function* readAll(store: Store, options: ExportOptions): AsyncGenerator<string, void> {
  if (options.applications) {
    yield* readLines(store, groups, (_tx, group) => toGroupLine(group));
    yield* readLines(store, clients, (_tx, client) => toApplicationLine(client, options));
  }
  yield* readLines(store, users, (tx, user) => toAccountLine(tx, user, options));
}

export type UserExport = ReturnType<typeof createUserExport>;

export function createUserExport(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store, clock } = deps;
  return {
    /** Notes that accounts were given away, then resolves with the lines in parts, the oldest account first. */
    start: async (
      options: ExportOptions & { readonly actor: Actor },
    ): Promise<AsyncGenerator<string, void>> => {
      const { hashes, applications, actor } = options;
      const changes = [`hashes: ${String(hashes)}`, ...(applications ? ["applications: true"] : [])];
      await store.transact((tx) =>
        writeAudit(tx, { actor, action: "user.export", target: "users", changes }, clock),
      );
      return readAll(store, options);
    },
  };
}
