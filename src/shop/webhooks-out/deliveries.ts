/** Sent and waiting deliveries, for administrators; resending, and a test. */
import { AppError } from "../../kit/errors.ts";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { webhookDeliveries, webhookFailing } from "./records.ts";
import { getEndpoint } from "./endpoints.ts";
import { TRIED_MS, toTestDelivery } from "./events.ts";
import type { DeliveryRecord, DeliveryState } from "./schema.ts";
import { openSecrets } from "./secrets.ts";
import { findFirst, sendMessage, withOutcome } from "./sender.ts";

type Deps = Pick<ShopDeps, "store" | "clock" | "box"> & {
  readonly outbound?: Outbound | undefined;
};

async function getDelivery(tx: ReadTx, endpointId: string, id: string): Promise<DeliveryRecord> {
  await getEndpoint(tx, endpointId);
  const found = await tx.get(webhookDeliveries, id);
  if (found?.endpointId === endpointId) return found;
  throw new AppError("not_found", "This delivery does not exist. Sent deliveries are stored for three days");
}

/** The log of an endpoint. */
export class WebhookLog {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest first. Throws `not_found`, `bad_cursor`. */
  list(
    endpointId: string,
    { state, limit, cursor }: PageOptions & { state?: DeliveryState | undefined },
  ): Promise<Page<DeliveryRecord>> {
    const page = { limit, cursor, reverse: true };
    return this.#deps.store.read(async (tx) => {
      await getEndpoint(tx, endpointId);
      return state === undefined
        ? tx.list(webhookDeliveries, "byEndpoint", { ...page, prefix: [endpointId] })
        : tx.list(webhookDeliveries, "byState", { ...page, prefix: [endpointId, state] });
    });
  }

  /** Throws `not_found`. */
  get(endpointId: string, id: string): Promise<DeliveryRecord> {
    return this.#deps.store.read((tx) => getDelivery(tx, endpointId, id));
  }

  /** Sends a message once more as soon as its turn comes, with the same event id. Throws `not_found`, `conflict` for an endpoint that is off. */
  redeliver(endpointId: string, id: string, actor: AuditActor): Promise<DeliveryRecord> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const found = await getDelivery(tx, endpointId, id);
      const { on } = await getEndpoint(tx, endpointId);
      if (on === undefined) throw new AppError("conflict", "The webhook is disabled. Enable it first");
      const nowMs = clock.now();
      const entry = { actor, action: "webhook.redeliver", target: endpointId, changes: [`delivery: ${id}`] };
      await writeAudit(tx, entry, clock);
      await tx.remove(webhookFailing, endpointId);
      const waitingThread = `${endpointId} ${found.thread}`;
      const first = await findFirst(tx, waitingThread);
      // It goes before this one, and would hold it until its own next attempt.
      if (first !== undefined && first.id !== id && first.attempts > 0)
        await tx.put(webhookDeliveries, { ...first, nextAttemptAt: nowMs });
      return tx.put(webhookDeliveries, {
        ...found,
        waitingThread,
        waitingFor: endpointId,
        state: "waiting",
        keepUntil: undefined,
        nextAttemptAt: nowMs,
        giveUpAt: nowMs + TRIED_MS,
      });
    });
  }

  /** Sends a test event at once, also while the endpoint is off, and says what came back. Throws `not_found`, `unavailable`. */
  async test(endpointId: string, actor: AuditActor): Promise<DeliveryRecord> {
    const { store, clock, box, outbound } = this.#deps;
    const endpoint = await store.read((tx) => getEndpoint(tx, endpointId));
    if (outbound === undefined) throw new AppError("unavailable", "Sending webhooks is disabled");
    const record = { ...toTestDelivery(endpoint, clock.now()), version: 0, attempts: 1 };
    const { eventId, body } = record;
    const exchange = {};
    const secrets = openSecrets(box, endpoint, clock.now());
    const message = { url: endpoint.url, secrets, eventId, body, exchange };
    const outcome = await sendMessage(this.#deps, outbound, message);
    const nowMs = clock.now();
    // A test is not tried again.
    const settled = withOutcome({ ...record, giveUpAt: nowMs }, { outcome, exchange, nowMs });
    return store.transact(async (tx) => {
      await getEndpoint(tx, endpointId);
      const changes = [`result: ${settled.state}`];
      await writeAudit(tx, { actor, action: "webhook.test", target: endpointId, changes }, clock);
      return tx.insert(webhookDeliveries, settled);
    });
  }
}
