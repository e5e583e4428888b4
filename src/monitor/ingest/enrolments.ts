/** Codes that new machines exchange for an id and a key, so that no key has to be copied by hand. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId, newSecret } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { enrolments } from "./records.ts";
import { servers } from "../fleet/records.ts";
import { toHostname } from "./machine-facts.ts";
import {
  type AgentKey,
  type EnrolmentRecord,
  type ServerFields,
  type ServerRecord,
  serverFieldsSchema,
} from "../base/schema.ts";
import { insertServer, newAgentKey, replaceKey } from "../fleet/servers.ts";

const DEFAULT_LIFE_SECONDS = 10 * 60;
const MAX_OPEN_CODES = 1_000;
const FAILURES = 10;
const FAILURE_WINDOW_MS = 10 * 60_000;
const SWEEP_BATCH = 200;
/** Of the name of a server, see its schema. */
const MAX_NAME = 100;

export interface CreatedEnrolment {
  readonly id: string;
  readonly code: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly usesLeft: number;
  /** The id that the machine gets; nothing has it before the code is used. Absent for several machines. */
  readonly serverId?: string | undefined;
}

export interface EnrolmentInput {
  /** Creates a new key for this server; otherwise new servers are created. */
  readonly serverId?: string | undefined;
  /** Fields of new servers; their name is the host name unless it is here. */
  readonly fields?: EnrolmentRecord["fields"];
  /** How many machines may use the code. Default 1. */
  readonly uses?: number | undefined;
  /** Default 10 minutes. */
  readonly lifeSeconds?: number | undefined;
  readonly actor: AuditActor;
}

/** Id and key that a machine has already. */
export interface PresentIdentity {
  readonly id: string;
  readonly key: string;
}

/** A machine's request, and its address. */
export interface Redemption {
  readonly code: string;
  readonly hostname: string;
  readonly present?: PresentIdentity | undefined;
  readonly clientAddress: string;
  readonly requestId: string;
}

/** `agentKey` is absent when the machine may go on with the identity that it has. */
export interface Enrolled {
  readonly server: ServerRecord;
  readonly agentKey?: string;
}

/** The name is what the administrator gave, else the machine's host name. */
function toFields(enrolment: EnrolmentRecord, hostname: string): ServerFields {
  const name = hostname.slice(0, MAX_NAME).trim() || "New server";
  return serverFieldsSchema.parse({ name, ...enrolment.fields });
}

function isForMany({ serverId, newServerId }: EnrolmentRecord): boolean {
  return serverId === undefined && newServerId === undefined;
}

async function findPresent(tx: Tx, present: PresentIdentity | undefined, now: number) {
  if (present === undefined) return undefined;
  const hash = hashSecret(present.key);
  const server = await tx.get(servers, present.id);
  const isKey = (key: { hash: string; expiresAt?: number | undefined }): boolean =>
    key.hash === hash && (key.expiresAt ?? Infinity) > now;
  return server?.keys.some(isKey) === true ? server : undefined;
}

/** One use less; the code goes with its last one. */
async function takeUse(tx: Tx, enrolment: EnrolmentRecord): Promise<void> {
  const usesLeft = (enrolment.usesLeft ?? 1) - 1;
  if (usesLeft > 0) await tx.put(enrolments, { ...enrolment, usesLeft });
  else await tx.remove(enrolments, enrolment.id);
}

/** The keys of a store. */
export class Enrolments {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #failures: ReturnType<LimitSource["create"]>;

  constructor({ store, clock, limits }: { store: Store; clock: Clock; limits: LimitSource }) {
    this.#store = store;
    this.#clock = clock;
    this.#failures = limits.create("enrolment-codes", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });
  }

  /** Creates a code. Throws `not_found`, `conflict`, `invalid` for several uses of one server. */
  async create(input: EnrolmentInput): Promise<CreatedEnrolment> {
    const { serverId, fields, uses = 1, lifeSeconds = DEFAULT_LIFE_SECONDS, actor } = input;
    if (serverId !== undefined && uses > 1)
      throw new AppError("invalid", "A server can enroll only one machine. Omit serverId or uses");
    const code = newSecret("enr", 16);
    const id = hashSecret(code);
    const createdAt = this.#clock.now();
    const expiresAt = createdAt + lifeSeconds * 1_000;
    const newServerId = uses === 1 && serverId === undefined ? newId("srv") : undefined;
    await this.#store.transact(async (tx) => {
      if (serverId !== undefined && (await tx.get(servers, serverId)) === undefined)
        throw new AppError("not_found", `There is no server "${serverId}"`);
      if ((await tx.count(enrolments)) >= MAX_OPEN_CODES)
        throw new AppError(
          "conflict",
          `You can have up to ${MAX_OPEN_CODES} open enrollment keys. Wait until some have expired, or delete some`,
        );
      const record = { id, serverId, newServerId, fields, usesLeft: uses, createdAt, expiresAt };
      await tx.insert(enrolments, record);
      const target = serverId ?? (uses === 1 ? "new server" : `${uses} new servers`);
      await writeAudit(tx, { actor, action: "enrolment.create", target }, this.#clock);
    });
    return { id, code, expiresAt, usesLeft: uses, serverId: serverId ?? newServerId };
  }

  /** The codes that are still good, the one that expires next first. */
  async list(): Promise<readonly EnrolmentRecord[]> {
    const from = [this.#clock.now() + 1];
    const page = await this.#store.read((tx) =>
      tx.list(enrolments, "byExpiresAt", { from, limit: MAX_OPEN_CODES }),
    );
    return page.items;
  }

  /** Ends a code before its time. Throws `not_found`. */
  async remove(id: string, actor: AuditActor): Promise<void> {
    await this.#store.transact(async (tx) => {
      if (!(await tx.remove(enrolments, id)))
        throw new AppError(
          "not_found",
          "This enrollment key does not exist: it was used, expired or deleted",
        );
      await writeAudit(tx, { actor, action: "enrolment.remove", target: id.slice(0, 8) }, this.#clock);
    });
  }

  /**
   * Exchanges a code. A machine that shows a `present` identity that is still good keeps it when the code is for many
   * machines. Throws `unauthenticated` for any code that is not good, `rate_limited`.
   */
  async redeem(input: Redemption): Promise<Enrolled> {
    const address = addressKey(input.clientAddress);
    const { allowed, retryAfterSeconds } = this.#failures.check(address);
    if (!allowed) {
      throw new AppError(
        "rate_limited",
        "Too many wrong enrollment keys from this address. Wait, then try again",
        {
          retryAfterSeconds,
        },
      );
    }
    const { agentKey, kept } = newAgentKey();
    const { enrolled, known } = await this.#store.transact(async (tx) => {
      const present = await findPresent(tx, input.present, this.#clock.now());
      const found = await this.#findGood(tx, input.code);
      if (found === undefined) return { known: present !== undefined };
      if (present !== undefined && isForMany(found)) return { enrolled: { server: present }, known: true };
      const server = await this.#enrol(tx, found, { hostname: toHostname(input.hostname), key: kept });
      const actor = { name: "enrolment", requestId: input.requestId };
      await writeAudit(tx, { actor, action: "enrolment.redeem", target: server.id }, this.#clock);
      return { enrolled: { server, agentKey }, known: true };
    });
    if (enrolled !== undefined) return enrolled;
    // A known machine that starts with a code of long ago guesses nothing.
    if (!known) this.#failures.hit(address);
    throw new AppError(
      "unauthenticated",
      'The enrollment key is wrong, used or expired. Create a new one under "Add server"',
    );
  }

  /** Removes expired codes; resolves with how many. */
  sweep(): Promise<number> {
    const to = [this.#clock.now()];
    return this.#store.transact(async (tx) => {
      const { items } = await tx.list(enrolments, "byExpiresAt", { to, limit: SWEEP_BATCH });
      for (const enrolment of items) await tx.remove(enrolments, enrolment.id);
      return items.length;
    });
  }

  async #findGood(tx: Tx, code: string): Promise<EnrolmentRecord | undefined> {
    const found = await tx.get(enrolments, hashSecret(code));
    if (found === undefined || found.expiresAt <= this.#clock.now()) return undefined;
    const { serverId } = found;
    return serverId === undefined || (await tx.get(servers, serverId)) !== undefined ? found : undefined;
  }

  async #enrol(
    tx: Tx,
    enrolment: EnrolmentRecord,
    { hostname, key }: { hostname: string; key: AgentKey },
  ): Promise<ServerRecord> {
    await takeUse(tx, enrolment);
    if (enrolment.serverId !== undefined)
      return replaceKey(tx, { id: enrolment.serverId, key, graceSeconds: 0 }, this.#clock);
    const fields = toFields(enrolment, hostname);
    return insertServer(tx, { id: enrolment.newServerId, fields, key, hostname }, this.#clock);
  }
}
