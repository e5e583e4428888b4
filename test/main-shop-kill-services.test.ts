/** The shop in a process of its own that is killed while payment services collect for it: shop and services agree afterwards. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { ADMIN_TOKEN } from "./shop/kill-load.ts";
import { settleAccounts } from "./shop/payments/kills/service-accounts.ts";
import { type ServiceLoad, createServiceLoad } from "./shop/payments/kills/service-load.ts";
import { type Stands, startStands } from "./shop/payments/kills/service-stands.ts";
import { type FixedClock, createFixedClock } from "./support/fixed-clock.ts";
import { type Program, type Programs, createPrograms } from "./support/program.ts";

const KEYS = 600;
const env = {
  ADMIN_TOKEN,
  NOTIFY_PRIVATE: "1",
  SHOP_PUBLIC_URL: "https://shop.example.org",
  // The shop that comes last, in this process, has the same.
  SHOP_SECRET: "a secret of the test suite, long enough",
};

/** When a life ends: after so many answers of the shop, or in the middle of a request to a service after so many. */
type Life = { readonly answers: number } | { readonly requests: number };
const lives: readonly Life[] = [{ answers: 45 }, { requests: 40 }, { answers: 90 }];

/** Several lives of one folder under load, and what they come to. */
async function killAndSettle(currency: string, programs: Programs): Promise<void> {
  let clock: FixedClock | undefined;
  const stands = await startStands(currency, () => clock?.now() ?? Date.now());
  try {
    const load = createServiceLoad(stands.all, { buyers: 8, most: KEYS });
    for (const [index, life] of lives.entries()) {
      const program = programs.run(env);
      const url = await programs.shopUrl(program);
      if (index === 0) await load.prepare(url);
      await load.check(url);
      await live({ life, url, load, stands, program });
    }
    stands.killAfter(Number.POSITIVE_INFINITY, () => undefined);
    const { sales } = load;
    for (const stand of stands.all)
      assert.ok(
        sales.some((sale) => sale.stand === stand && sale.isHeard),
        `${stand.name} was never heard`,
      );
    clock = createFixedClock(Date.now());
    const folder = join(programs.folder, "data", "shop");
    const paid = await settleAccounts(folder, { stands: stands.all, sales, clock, keyCount: KEYS });
    assert.equal(paid, sales.filter(({ notice }) => notice !== undefined).length);
  } finally {
    await stands.close();
  }
}

async function live(given: {
  readonly life: Life;
  readonly url: string;
  readonly load: ServiceLoad;
  readonly stands: Stands;
  readonly program: Program;
}): Promise<void> {
  const { life, url, load, stands, program } = given;
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    program.child.kill("SIGKILL");
  };
  let left = "answers" in life ? life.answers : Number.POSITIVE_INFINITY;
  stands.killAfter("requests" in life ? life.requests : Number.POSITIVE_INFINITY, kill);
  const onAnswer = (): void => {
    left -= 1;
    if (left <= 0 && !isKilled) kill();
  };
  await load.run(url, { isKilled: () => isKilled, onAnswer });
  await program.ended;
}

describe("SIGKILL while payment services collect", () => {
  const folders: Programs[] = [];
  afterEach(async () => {
    for (const programs of folders.splice(0)) await programs.dispose();
  });

  it("loses no payment and does none twice, with any service, in several lives of one folder", async () => {
    const currencies = ["EUR", "CNY"];
    for (const _ of currencies) folders.push(await createPrograms(["shop"]));
    await Promise.all(
      currencies.map((currency, at) => killAndSettle(currency, folders[at] ?? assert.fail(currency))),
    );
  });
});
