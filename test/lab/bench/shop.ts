/**
 * The shop's figures beside the bare library and beside Vendure: pages of the catalogue, searches, orders,
 * payment notices, start and memory. `npm run bench -- shop-catalogue`
 */
import { type Bench, type BenchRow, median } from "./measure.ts";
import { measureBareSearch, startBareSide } from "./shop-bare.ts";
import { type ShopProgram, startShopProgram } from "./shop-program.ts";
import {
  type ShopSide,
  type SideResult,
  runInTurn,
  runColdRound,
  toMedians,
  withSides,
} from "./shop-sides.ts";
import { startVendureSide } from "./vendure.ts";

/** The shop of the figures: 3 variants a product; few of the orders still wait for payment. */
const size = { products: 10_000, orders: 50_000, pending: 200 };
const small = { products: 1_000, orders: 1_000, pending: 200 };
/** As many wait as a long round of notices takes. */
const unpaid = { ...size, pending: 30_000 };
const VENDURE = "Vendure on SQLite, 1,000 products";
const AHEAD = "≥ 10 ×";
const CONNECTIONS = 32;

const startVendure = (): Promise<ShopSide> => startVendureSide(1_000);

const latency = ({ p50Ms, p99Ms, cpuMicrosecondsEach }: SideResult): string =>
  `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${(cpuMicrosecondsEach / 1_000).toFixed(2)} ms CPU each`;

async function readMib(side: ShopSide): Promise<number> {
  return (await side.usage()).rssBytes / 1024 ** 2;
}

function toMemoryRow(when: string, mib: number): BenchRow {
  const isReached = mib * 1.048_576 <= 300;
  return { name: `resident memory ${when}`, unit: "MiB", ours: mib, target: "≤ 300 MB", isReached };
}

function toLatencyRow(name: string, { p99Ms }: SideResult, most: number): BenchRow {
  return {
    name: `${name}, p99`,
    unit: "ms",
    ours: p99Ms,
    target: `≤ ${most} ms`,
    isReached: p99Ms <= most,
  };
}

/** Ours with what it is compared with, and the rate to reach. */
function toRateRow(
  name: string,
  parts: { ours: SideResult; other: { name: string; result: SideResult }; least?: number },
): BenchRow {
  const { ours, other, least } = parts;
  const target = least === undefined ? AHEAD : `≥ ${least.toLocaleString("en")}/s`;
  const isReached = ours.perSecond >= (least ?? 10 * other.result.perSecond);
  return {
    name,
    unit: "/s",
    ours: ours.perSecond,
    other: { name: other.name, value: other.result.perSecond },
    target,
    isReached,
    note: `${latency(ours)}; ${other.name} ${latency(other.result)}`,
  };
}

const benchCatalogue: Bench = async (effort) => {
  const starts = [() => startShopProgram(size), () => startShopProgram(small), startVendure] as const;
  return withSides<[ShopProgram, ShopProgram, ShopSide], BenchRow[]>(starts, async ([ours, less, peer]) => {
    const page = await (await fetch(`${ours.url}/api/products`)).text();
    const bare = await startBareSide("page", page);
    try {
      const turns = [
        { side: ours, work: "page" },
        { side: less, work: "page" },
        { side: ours, work: "pages" },
        { side: bare, work: "page" },
        { side: peer, work: "page" },
      ] as const;
      const results = await runInTurn(turns, { connections: CONNECTIONS, effort });
      const [first, ofLess, all, ofBare, ofPeer] = results;
      const name = "catalogue, page 1, 10,000 products";
      return [
        toRateRow(name, { ours: first, other: { name: bare.name, result: ofBare }, least: 3_000 }),
        toRateRow(name, { ours: first, other: { name: VENDURE, result: ofPeer } }),
        {
          name: `${name}, CPU each`,
          unit: "µs",
          ours: first.cpuMicrosecondsEach,
          other: { name: "1,000 products", value: ofLess.cpuMicrosecondsEach },
          target: "not dearer (≤ 1.1)",
          isReached: first.cpuMicrosecondsEach <= 1.1 * ofLess.cpuMicrosecondsEach,
        },
        {
          name: "catalogue, pages, filters and searches of all kinds",
          unit: "/s",
          ours: all.perSecond,
          target: "≥ 3,000/s",
          isReached: all.perSecond >= 3_000,
          note: latency(all),
        },
        toLatencyRow("catalogue, pages, filters and searches of all kinds", all, 20),
        toMemoryRow("after that, 50,000 orders", await readMib(ours)),
      ];
    } finally {
      await bare.stop();
    }
  });
};

const benchSearch: Bench = async (effort) => {
  const starts = [() => startShopProgram(size), startVendure] as const;
  const [ours, ofPeer] = await withSides<[ShopProgram, ShopSide], [SideResult, SideResult]>(
    starts,
    async ([program, peer]) => {
      const turns = [
        { side: program, work: "search" },
        { side: peer, work: "search" },
      ] as const;
      return runInTurn(turns, { connections: CONNECTIONS, effort });
    },
  );
  const alone = await measureBareSearch(size.products, effort.seconds);
  const name = "search for two words, 10,000 products";
  return [
    {
      name,
      unit: "/s",
      ours: ours.perSecond,
      other: { name: "the search alone, without HTTP", value: alone },
      target: "≥ 3,000/s",
      isReached: ours.perSecond >= 3_000,
    },
    toRateRow(name, { ours, other: { name: VENDURE, result: ofPeer } }),
    toLatencyRow(name, ours, 20),
  ];
};

/** Pages as HTML, beside the list alone that a storefront of Vendure's asks for before it renders anything. */
const benchStorefront: Bench = async (effort) => {
  const starts = [() => startShopProgram(size), startVendure] as const;
  const [ours, ofPeer] = await withSides<[ShopProgram, ShopSide], [SideResult, SideResult]>(
    starts,
    async ([program, peer]) => {
      const turns = [
        { side: program, work: "storefront" },
        { side: peer, work: "page" },
      ] as const;
      return runInTurn(turns, { connections: CONNECTIONS, effort });
    },
  );
  const name = "storefront as HTML: home, categories, searches, 10,000 products";
  const other = { name: VENDURE, result: ofPeer };
  return [
    toRateRow(name, { ours, other, least: 1_500 }),
    toRateRow(name, { ours, other }),
    toLatencyRow(name, ours, 30),
  ];
};

const benchCheckout: Bench = async (effort) => {
  const starts = [() => startShopProgram(size), () => startBareSide("checkout"), startVendure] as const;
  return withSides<[ShopProgram, ShopSide, ShopSide], BenchRow[]>(starts, async (sides) => {
    const [program, bare, peer] = sides;
    const turns = [
      { side: program, work: "checkout" },
      { side: bare, work: "checkout" },
      { side: peer, work: "checkout" },
    ] as const;
    const [ours, ofBare, ofPeer] = await runInTurn(turns, { connections: CONNECTIONS, effort });
    const name = "checkout, durable orders";
    return [
      toRateRow(name, { ours, other: { name: bare.name, result: ofBare }, least: 500 }),
      toRateRow(name, { ours, other: { name: VENDURE, result: ofPeer } }),
      toLatencyRow(name, ours, 60),
    ];
  });
};

const benchWebhook: Bench = async (effort) => {
  const ours: SideResult[] = [];
  const bare: SideResult[] = [];
  // An order is paid once: each round begins with a shop whose orders wait.
  for (let round = 0; round < effort.rounds; round += 1) {
    const starts = [() => startShopProgram(unpaid), () => startBareSide("webhook")] as const;
    await withSides<[ShopProgram, ShopSide], void>(starts, async ([program, other]) => {
      const load = { connections: CONNECTIONS, seconds: effort.seconds };
      ours.push(await runColdRound({ side: program, work: "webhook" }, load));
      bare.push(await runColdRound({ side: other, work: "webhook" }, load));
    });
  }
  const name = "webhook, payments applied durably";
  const result = toMedians(ours);
  const other = { name: "bare node:http and the transaction", result: toMedians(bare) };
  return [toRateRow(name, { ours: result, other, least: 1_000 }), toLatencyRow(name, result, 50)];
};

const benchStart: Bench = async ({ rounds }) => {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < Math.min(3, rounds); round += 1) {
    const program = await startShopProgram(size);
    try {
      times.push(program.startMs);
      memory.push(await readMib(program));
    } finally {
      await program.stop();
    }
  }
  const startMs = median(times);
  return [
    {
      name: "start with 10,000 products × 3 variants and 50,000 orders",
      unit: "ms",
      ours: startMs,
      target: "≤ 1,500 ms",
      isReached: startMs <= 1_500,
    },
    toMemoryRow("after the start", median(memory)),
  ];
};

/** The shop's cases by name. */
export const shopBenches: Readonly<Record<string, Bench>> = {
  "shop-catalogue": benchCatalogue,
  "shop-search": benchSearch,
  "shop-storefront": benchStorefront,
  "shop-checkout": benchCheckout,
  "shop-webhook": benchWebhook,
  "shop-start": benchStart,
};
