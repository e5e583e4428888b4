/** Single-use codes that a new machine exchanges for its id and key, so that no key has to be copied by hand. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId, newSecret } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { Store } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { enrolments, servers } from "../records.ts";
import { toHostname } from "./machine-facts.ts";
import { type EnrolmentRecord, type ServerFields, serverFieldsSchema } from "../schema.ts";
import { type CreatedServer, insertServer, newAgentKey, replaceKey } from "../fleet/servers.ts";

/** Life of a code, in milliseconds. */
const CODE_MS = 10 * 60_000;
const MAX_OPEN_CODES = 1_000;
const FAILURES = 10;
const FAILURE_WINDOW_MS = 10 * 60_000;
const SWEEP_BATCH = 200;

export interface CreatedEnrolment {
  readonly code: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** The id that the machine gets; nothing has it before the code is used. */
  readonly serverId: string;
}

export interface Enrolments {
  /** Makes a code for an existing server (`serverId`) or for a new one. Throws `not_found`, `conflict`. */
  create(input: {
    serverId?: string | undefined;
    fields?: EnrolmentRecord["fields"];
    actor: AuditActor;
  }): Promise<CreatedEnrolment>;
  /** Exchanges a code, once. Throws `unauthenticated` for any code that does not count, `rate_limited`. */
  redeem(input: {
    code: string;
    hostname: string;
    clientAddress: string;
    requestId: string;
  }): Promise<CreatedServer>;
  /** Removes expired codes; resolves with how many. */
  sweep(): Promise<number>;
}

/** The host name is for the administrator only, so it is not the default of the public name. */
function toFields(enrolment: EnrolmentRecord): ServerFields {
  return serverFieldsSchema.parse({ name: "New server", ...enrolment.fields });
}

/** Makes the enrolments' logic on a store. */
export function createEnrolments(deps: { store: Store; clock: Clock; limits: LimitSource }): Enrolments {
  const { store, clock, limits } = deps;
  const failures = limits.create("enrolment-codes", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });

  return {
    create: async ({ serverId, fields, actor }) => {
      const code = newSecret("enr", 16);
      const now = clock.now();
      const expiresAt = now + CODE_MS;
      const newServerId = newId("srv");
      await store.transact(async (tx) => {
        if (serverId !== undefined && (await tx.get(servers, serverId)) === undefined) {
          throw new AppError("not_found", `There is no server "${serverId}"`);
        }
        if ((await tx.count(enrolments)) >= MAX_OPEN_CODES) {
          throw new AppError("conflict", `${MAX_OPEN_CODES} codes are open; wait until some have expired`);
        }
        await tx.insert(enrolments, {
          id: hashSecret(code),
          ...(serverId === undefined ? { newServerId } : { serverId }),
          ...(fields === undefined ? {} : { fields }),
          createdAt: now,
          expiresAt,
        });
        await writeAudit(tx, { actor, action: "enrolment.create", target: serverId ?? "new server" }, clock);
      });
      return { code, expiresAt, serverId: serverId ?? newServerId };
    },

    redeem: async ({ code, hostname, clientAddress, requestId }) => {
      const address = addressKey(clientAddress);
      const { allowed, retryAfterSeconds } = failures.check(address);
      if (!allowed) {
        throw new AppError("rate_limited", "Too many wrong codes from this address; wait and try again", {
          retryAfterSeconds,
        });
      }
      const { agentKey, kept } = newAgentKey();
      const created = await store.transact(async (tx) => {
        const enrolment = await tx.get(enrolments, hashSecret(code));
        if (enrolment === undefined) return undefined;
        await tx.remove(enrolments, enrolment.id);
        if (enrolment.expiresAt <= clock.now()) return undefined;
        const { serverId, newServerId } = enrolment;
        if (serverId !== undefined && (await tx.get(servers, serverId)) === undefined) return undefined;
        const server =
          serverId === undefined
            ? await insertServer(
                tx,
                { id: newServerId, fields: toFields(enrolment), key: kept, hostname: toHostname(hostname) },
                clock,
              )
            : await replaceKey(tx, { id: serverId, key: kept, graceSeconds: 0 }, clock);
        const actor = { name: "enrolment", requestId };
        await writeAudit(tx, { actor, action: "enrolment.redeem", target: server.id }, clock);
        return { server, agentKey };
      });
      if (created !== undefined) return created;
      failures.hit(address);
      throw new AppError("unauthenticated", "The code is wrong, used or expired; make a new one");
    },

    sweep: () =>
      store.transact(async (tx) => {
        const { items } = await tx.list(enrolments, "byExpiresAt", { to: [clock.now()], limit: SWEEP_BATCH });
        for (const enrolment of items) await tx.remove(enrolments, enrolment.id);
        return items.length;
      }),
  };
}
