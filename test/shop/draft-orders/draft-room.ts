/** A shop with tax and invoices whose staff write draft orders. */
import assert from "node:assert/strict";
import { draftOrders } from "../../../src/shop/draft-orders/records.ts";
import type { DraftRecord } from "../../../src/shop/draft-orders/schema.ts";
import { toDraftToken } from "../../../src/shop/draft-orders/link.ts";
import { type TestShop, read } from "../app-fixture.ts";
import { place } from "../order-edits/edit-room.ts";

export const DRAFTS = "/api/admin/draft-orders";

export interface Draft {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly state: string;
  readonly orderId?: string;
  readonly orderNumber?: string;
  readonly items: { readonly id: string }[];
  readonly quoted?: { readonly total: number; readonly subtotal: number; readonly discount: number };
}

/** A draft of a buyer in Lyon. */
export async function write(app: TestShop, content: object): Promise<Draft> {
  const body = { email: "ann@example.org", shippingAddress: place, ...content };
  return read(await app.admin("POST", DRAFTS, body), 201);
}

export async function loadDraft(app: TestShop, { id }: Pick<Draft, "id">): Promise<DraftRecord> {
  return (await app.store.read((tx) => tx.get(draftOrders, id))) ?? assert.fail();
}

/** Sends an action with the version and the total of the draft as it was saved last. */
export async function act(
  app: TestShop,
  draft: Pick<Draft, "id">,
  action: string,
  body: object = {},
): Promise<Response> {
  const { version, quoted } = await loadDraft(app, draft);
  const expectedTotal = action === "send" ? {} : { expectedTotal: quoted?.total ?? 0 };
  return app.admin("POST", `${DRAFTS}/${draft.id}/${action}`, { version, ...expectedTotal, ...body });
}

/** Mails the link; resolves with what the buyer sends. */
export async function sendLink(app: TestShop, draft: Pick<Draft, "id">, body: object = {}) {
  await read(await act(app, draft, "send", body));
  const record = await loadDraft(app, draft);
  const headers = { "x-order-token": toDraftToken(app.shop.deps.box, record) };
  const path = `/api/draft-orders/${record.number}`;
  return {
    token: headers["x-order-token"],
    open: (): Promise<Response> => app.send("GET", path, { headers }),
    order: (fields: object = {}): Promise<Response> => {
      const known = { version: record.version, expectedTotal: record.quoted?.total ?? 0 };
      return app.send("POST", `${path}/order`, { headers, body: { ...known, ...fields } });
    },
  };
}
