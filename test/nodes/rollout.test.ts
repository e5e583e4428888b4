/** A new version comes to a running cluster: nginx reloads, and one node after the other is stopped and started. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type NodeName, nodeNames } from "../lab/nodes/addresses.ts";
import { eventually } from "../support/eventually.ts";
import { ask, call, cluster, control, startNode, untilHealthy } from "./cluster.ts";
import { type RunningFleet, startFleet } from "./fleet.ts";
import { addProduct, checkOut } from "./goods.ts";
import { type Viewer, openViewer } from "./viewer.ts";

const AGENTS = 20;
const BUYERS = 3;
const PAUSE_MS = 25;

/** Buyers who check out all the time, each with a key that makes it safe to repeat an unanswered checkout. */
class Buyers {
  readonly answers = new Map<string, number>();
  readonly orders = new Map<string, string>();
  #isOpen = true;
  readonly #running: Promise<void>[];

  constructor(productId: string) {
    this.#running = Array.from({ length: BUYERS }, (_, index) =>
      this.#buy(productId, `192.0.2.${100 + index}`),
    );
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#running);
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }

  async #buy(productId: string, from: string): Promise<void> {
    while (this.#isOpen) {
      await this.#buyOnce({ productId, from, key: randomUUID() });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Repeats what got no answer that says what became of it, as a client with an idempotency key does. */
  async #buyOnce(order: { productId: string; from: string; key: string }): Promise<void> {
    for (;;) {
      const answer = await checkOut(cluster.front.shop, order).catch(() => undefined);
      this.#count(answer === undefined ? "broken" : String(answer.status));
      if (answer !== undefined && answer.status < 500) {
        assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer.body));
        this.orders.set(order.key, answer.body.order.id);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

interface Reader {
  /** How often each status came; "broken" means no response, twice. */
  readonly answers: ReadonlyMap<number | "broken", number>;
  close(): Promise<void>;
}

/** A visitor of public pages. */
function startReader(): Reader {
  const { monitor, auth, shop } = cluster.front;
  const pages = [`${monitor}/api/servers`, `${auth}/api/public/registration-policy`, `${shop}/api/products`];
  const answers = new Map<number | "broken", number>();
  const stopping = new AbortController();
  const read = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const page = pages[turn % pages.length] ?? "";
      // As browsers do: the front may close a kept connection at the moment it is used again (RFC 9110, 9.2.2).
      const answer = await ask("GET", page)
        .catch(() => ask("GET", page))
        .catch(() => undefined);
      const key = answer?.status ?? "broken";
      answers.set(key, (answers.get(key) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const running = read();
  return {
    answers,
    async close() {
      stopping.abort();
      await running;
    },
  };
}

describe("a rollout under load", () => {
  let fleet: RunningFleet;
  let productId = "";
  const viewers: Viewer[] = [];
  before(async () => {
    // Many orders of few people: that is what this is about.
    const { version } = await call<{ version: number }>("GET", `${cluster.front.shop}/api/admin/site`, {
      admin: true,
    });
    const maxPending = { user: 1_000_000, address: 1_000_000, email: 1_000_000 };
    const many = 1_000_000;
    const orderLimits = { addressPerHour: many, emailPerHour: many, mailedPerDay: many, guestUnits: many };
    await call("PATCH", `${cluster.front.shop}/api/admin/site`, {
      admin: true,
      body: { version, maxPending, orderLimits },
    });
    productId = await addProduct(cluster.front.shop, {});
    fleet = await startFleet(AGENTS);
    for (const mode of ["snapshot", "delta", "gzip"] as const)
      viewers.push(openViewer(cluster.front.monitor, mode));
  });
  after(async () => {
    for (const viewer of viewers) viewer.close();
    await fleet.stop();
  });

  async function seeAll(): Promise<void> {
    const sinceMs = Date.now();
    for (const viewer of viewers)
      await eventually(() => {
        for (const id of fleet.ids) {
          assert.equal(viewer.servers.get(id)?.state, "online");
          assert.ok((viewer.servers.get(id)?.latest?.receivedAt ?? 0) > sinceMs, `${id} reports`);
        }
      });
  }

  /** nginx leaves a node alone for two seconds after it refused a request, however well it is by then. */
  async function untilAsked(target: NodeName): Promise<void> {
    const node = cluster.nodes[target];
    const { front } = cluster;
    for (const service of ["monitor", "auth", "shop"] as const)
      await eventually(async () => {
        const { headers } = await ask("GET", `${front[service]}/api/health`);
        assert.equal(headers.get("x-node"), new URL(node[service]).host);
      });
  }

  it("loses no report, no order and no reader; every stop ends with 0", async () => {
    const buyers = new Buyers(productId);
    const reader = startReader();
    await seeAll();
    console.log("reloading the front");
    await control({ target: "front", do: "reload" });
    await seeAll();
    const rollOver = async (target: NodeName): Promise<void> => {
      const startMs = performance.now();
      assert.equal(await control({ target, do: "stop" }), 0);
      console.log(`node ${target} stopped after ${Math.round(performance.now() - startMs)} ms`);
      await startNode(target);
      console.log(
        `node ${target} healthy again ${Math.round(performance.now() - startMs)} ms after it was told to stop`,
      );
      await untilAsked(target);
      await seeAll();
    };
    for (const target of nodeNames) await rollOver(target);
    await buyers.close();
    await reader.close();
    await untilHealthy();

    console.log(`checkouts: ${JSON.stringify(Object.fromEntries(buyers.answers))}`);
    console.log(`reads: ${JSON.stringify(Object.fromEntries(reader.answers))}`);
    console.log(
      `agents: ${fleet.ledger.totals().disconnects} streams ended; viewers: ${viewers.map(({ losses }) => losses).join(", ")} connections lost`,
    );
    // What nginx may repeat it repeats: readers see nothing of it.
    assert.deepEqual([...reader.answers.keys()], [200]);
    // A checkout that was sent when its node closed the connection is answered 502, and one that was sent when
    // the front closed it (a reload) gets no answer: neither may be repeated by those between (RFC 9110, 9.2.2).
    // Asked again with its key it is the same order.
    const known = ["200", "201", "502", "broken"];
    const unexpected = [...buyers.answers.keys()].filter((answer) => !known.includes(answer));
    assert.deepEqual(unexpected, []);
    assert.equal(new Set(buyers.orders.values()).size, buyers.orders.size);
    for (const id of buyers.orders.values())
      assert.equal(
        (await ask("GET", `${cluster.front.shop}/api/admin/orders/${id}`, { admin: true })).status,
        200,
      );
  });

  it("has stored every report that it acknowledged", async () => {
    await fleet.settle();
    const { waiting, lost, rejected } = fleet.ledger.totals();
    assert.deepEqual({ waiting, lost, rejected }, { waiting: 0, lost: 0, rejected: 0 });
    await eventually(async () => {
      const { missing, surplus, unknown, checked } = await fleet.verifyCharts(cluster.front.monitor);
      assert.deepEqual(
        { missing, surplus, unknown, checked },
        { missing: 0, surplus: 0, unknown: 0, checked: AGENTS },
      );
    });
  });
});
