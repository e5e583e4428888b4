/** A shop without HTTP, for suites that make many: a store in memory, a fixed clock, no mail server. */
import { layOutDraft } from "../../src/shop/mails/drafts.ts";
import { noOrderLimits } from "./goods.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import type { Outbound } from "../../src/kit/outbound/outbound.ts";
import { createOutbox } from "../../src/records/outbox.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { createMemoryBlobs } from "../../src/shop/base/blobs.ts";
import { MAIL_TRIES } from "../../src/shop/mails/mail-gate.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { readSettings, replaceSettings } from "../../src/shop/site/settings.ts";
import { type Shop, createShop } from "../../src/shop/app/shop.ts";
import type { SiteSettings } from "../../src/shop/site/schema.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

/** Who administers in these suites. */
export const actor = { name: "test", clientId: "test", requestId: "test" };

export interface PlainShop {
  readonly shop: Shop;
  readonly clock: FixedClock;
  readonly store: Store;
}

export interface PlainShopOptions {
  /** Empty and in memory by default. */
  readonly store?: Store;
  readonly clock?: FixedClock;
  /** For requests to payment providers; by default nothing is sent. */
  readonly paymentOutbound?: Outbound;
}

/** Creates an empty shop with some settings of the site. */
export async function createPlainShop(
  site: Partial<SiteSettings> = {},
  options: PlainShopOptions = {},
): Promise<PlainShop> {
  const { store: given = createMemoryStore({ collections: shopCollections }), paymentOutbound } = options;
  const clock = options.clock ?? createFixedClock();
  const log = silentLog;
  const box = createSecretBox("a secret of the test suite, long enough");
  const outbox = createOutbox({
    store: given,
    clock,
    log,
    box,
    sender: () => undefined,
    maxTries: MAIL_TRIES,
    layOut: layOutDraft,
  });
  const blobs = createMemoryBlobs();
  const shop = createShop({
    store: given,
    clock,
    log,
    box,
    outbox,
    blobs,
    publicUrl: "",
    ...(paymentOutbound === undefined ? {} : { paymentOutbound }),
  });
  const { store } = shop;
  await store.transact(async (tx) => {
    const before = (await readSettings(tx, "site")).fields;
    await replaceSettings(tx, {
      group: "site",
      fields: { ...before, freeGuestOrders: true, orderLimits: noOrderLimits, ...site },
      actor,
      clock,
    });
  });
  return { shop, clock, store };
}
