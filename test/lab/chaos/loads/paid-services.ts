/**
 * Buyers who pay at stand-ins of every payment provider that accepts euros, repeated notifications, refunds; and what
 * providers and shop must agree on at the end.
 */
import { join } from "node:path";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import { textOf } from "../../../../src/kit/thrown.ts";
import { shopCollections } from "../../../../src/shop/app/records.ts";
import { openJournalStore } from "../../../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { settleStore } from "../../../shop/payments/kills/service-accounts.ts";
import { createServiceLoad } from "../../../shop/payments/kills/service-load.ts";
import { type Stands, startStands } from "../../../shop/payments/kills/service-stands.ts";
import { NotNow } from "../../../shop/kill-load.ts";
import { type FixedClock, createFixedClock } from "../../../support/fixed-clock.ts";
import type { Surroundings } from "../case.ts";
import type { Load } from "./load.ts";
import { type Persons, Refused, keepOn } from "./patience.ts";

/** What shops that run and the one that settles share. */
export const serviceEnv = {
  NOTIFY_PRIVATE: "1",
  SHOP_PUBLIC_URL: "https://shop.example.org",
  SHOP_SECRET: "a secret of the test suite, long enough",
};

export interface PaidServices extends Load {
  /** Once the program has ended: lets hours pass in which shop and services tell each other all. Gives what is wrong. */
  settle(place: { readonly dataDir: string; readonly databaseUrl: string | undefined }): Promise<string[]>;
}

/** Creates the load with its fakes, which stop with the part. */
export async function createPaidServices(
  around: Pick<Surroundings, "onEnd">,
  { most, ...persons }: Persons & { most: number },
): Promise<PaidServices> {
  let clock: FixedClock | undefined;
  const stands: Stands = await startStands("EUR", () => clock?.now() ?? Date.now());
  around.onEnd(() => stands.close());
  const load = createServiceLoad(stands.all, { buyers: persons.count, most });
  return {
    prepare: (url) => load.prepare(url, { isAlone: false }),
    go: (url, isOver) =>
      keepOn(persons, {
        isOver: () => isOver() || load.sales.length >= most,
        step: () =>
          load
            .sell(url, () => undefined)
            .catch((error: unknown) => {
              throw error instanceof NotNow ? new Refused(error.message) : error;
            }),
      }),
    verify: async (url) => {
      try {
        await load.check(url);
        return [];
      } catch (error) {
        return [textOf(error)];
      }
    },
    settle: async ({ dataDir, databaseUrl }) => {
      clock = createFixedClock(Date.now());
      const common = { name: "shop", collections: shopCollections, clock, log: silentLog };
      const store =
        databaseUrl === undefined
          ? await openJournalStore({ ...common, folder: join(dataDir, "shop") })
          : await openPostgresStore({ ...common, url: databaseUrl });
      try {
        await settleStore(store, { stands: stands.all, sales: load.sales, clock });
        return [];
      } catch (error) {
        return [`shop and payment services: ${textOf(error)}`];
      }
    },
    counts: () => ({
      "payments of services": load.sales.filter(({ isHeard }) => isHeard === true).length,
      refunds: load.sales.filter(({ refund }) => refund !== undefined && refund !== "asked").length,
    }),
  };
}
