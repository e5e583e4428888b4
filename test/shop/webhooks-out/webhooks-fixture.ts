/** A shop with endpoints for its events, and who takes them. */
import { eventTypes } from "../../../src/shop/webhooks-out/schema.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestShop, type TestShopOptions, createTestShop, read } from "../app-fixture.ts";
import { liftLimits, setProvider } from "../goods.ts";
import { createReceiver } from "./receiver.ts";

export interface Endpoint {
  readonly id: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly failingSince?: string;
  readonly nextAttemptAt?: string;
  readonly offReason?: string;
  readonly secret: string;
}
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastStatus?: number;
  readonly lastAnswer?: string;
  readonly lastError?: string;
  readonly body?: string;
}

export const PATH = "/api/admin/webhooks";

export async function createHookedShop(options: TestShopOptions = {}) {
  const receiver = createReceiver();
  // The vendors' package looks at the machine's clock.
  const clock = createFixedClock(Date.now());
  const app = await createTestShop({ webhookOutbound: receiver.outbound, clock, ...options });
  await setProvider(app);
  await liftLimits(app);
  return { app, receiver };
}

export async function addEndpoint(app: TestShop, fields: object = {}): Promise<Endpoint> {
  const body = { url: "https://erp.example.org/in", types: eventTypes, ...fields };
  return read<Endpoint>(await app.admin("POST", PATH, body), 201);
}

export async function deliverAll(app: TestShop): Promise<void> {
  while ((await app.shop.webhookSender.deliver()).sent > 0);
}

export async function listLog(app: TestShop, id: string, query = ""): Promise<Delivery[]> {
  const answer = await app.admin("GET", `${PATH}/${id}/deliveries${query}`);
  return (await read<{ items: Delivery[] }>(answer)).items;
}

export async function readEndpoint(app: TestShop, id: string): Promise<Endpoint> {
  return read<Endpoint>(await app.admin("GET", `${PATH}/${id}`));
}
