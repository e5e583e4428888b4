/** A run of several nodes of shop and auth center over one database and one bus, from a seed. */
import { startAuth } from "../../../src/auth/service.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { Findings } from "../../../src/service/check/finding.ts";
import { checkStore } from "../../../src/service/check/store-check.ts";
import { startShop } from "../../../src/shop/service.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { z } from "zod";
import { AUTH_PORT, Person, prepareAccounts } from "../accounts/people.ts";
import { createAccountWorkloads } from "../accounts/workloads.ts";
import { type FaultTargets, calmAll, keepRunning } from "../faults/inject.ts";
import { type Fault, type FaultKind, planFaults } from "../faults/plan.ts";
import { injectShared } from "../faults/shared.ts";
import { Kernel } from "../kernel/kernel.ts";
import { toStart } from "../kernel/start.ts";
import { createRandom } from "../kernel/random.ts";
import { DatabaseServer } from "../postgres/server.ts";
import { Bank } from "../shop/bank.ts";
import { Buyer } from "../shop/buyers.ts";
import { checkOrders, checkRecords } from "../shop/checks.ts";
import { History } from "../shop/history.ts";
import { Receiver } from "../shop/receiver.ts";
import { rush } from "../shop/rush.ts";
import { type Goods, SHOP_PORT, Staff } from "../shop/staff.ts";
import { createShopWorkloads } from "../shop/workloads.ts";
import type { SimulationOptions, SimulationResult } from "../simulate.ts";
import { Balancer } from "../world/balancer.ts";
import { BusServer } from "../world/bus-server.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { WorkingDay } from "../world/working-day.ts";
import { Machine } from "../world/machine.ts";
import { Outside } from "../world/outside.ts";
import { PostOffice } from "../world/post.ts";
import { goOn, runScene, waitUntil } from "../world/scene.ts";
import { Editors, buyTwice, claimTwice, leaveTogether, registerTwins, renewTwice } from "./rivals.ts";

const SECRET = "a-secret-of-the-simulation-with-enough-characters";
const DATABASE_URL = "postgres://trivet:password@database.example:5432/trivet";
const MINUTE = 60_000;
/** How soon after the last fault all nodes must be well. */
const HEALTHY_MS = 5 * MINUTE;
/** How soon after that nothing may wait any longer. */
const DRAINED_MS = 120 * MINUTE;
/** How late a node may show what another one has changed. */
const FRESH_MS = MINUTE;
const EDITORS = 3;

const kinds = [
  ...(["kill", "kill", "power", "power", "restart", "clock", "clock", "network", "network"] as const),
  ...(["post-flaky", "outside-down"] as const),
  ...(["database-slow", "database-conflicts", "database-conflicts", "database-drops"] as const),
  ...(["database-loses-answers", "database-loses-answers", "database-silent", "database-down"] as const),
  ...(["database-stalls", "database-stalls", "database-parted", "database-parted"] as const),
  ...(["pause", "pause"] as const),
  ...(["bus-lossy", "bus-parted", "bus-down"] as const),
] as const satisfies readonly FaultKind[];

interface Scene extends Omit<FaultTargets, "machine"> {
  readonly options: SimulationOptions;
  readonly faults: readonly Fault[];
  readonly machines: readonly [Machine, ...Machine[]];
  readonly balancer: Balancer;
  readonly database: DatabaseServer;
  readonly bus: BusServer;
  readonly history: History;
  readonly bank: Bank;
  readonly staff: Staff;
  readonly receiver: Receiver;
}

const productSchema = z.object({ price: z.number() });

/** A client of one node. */
function toNodeClient(scene: Scene, machine: Machine, port: number): Client {
  const { kernel, outside, options } = scene;
  const random = createRandom(options.seed, `probe ${machine.name}`);
  return new Client({ kernel, outside, machine, random }, { name: "probe", port, from: "10.9.9.8" });
}

async function isWell(scene: Scene): Promise<boolean> {
  for (const machine of scene.machines)
    for (const port of [SHOP_PORT, AUTH_PORT]) {
      const answer = await toNodeClient(scene, machine, port).insist("/api/health", {}, 1);
      if (answer?.status !== 200 || !JSON.stringify(answer.json).includes('"status":"ok"')) return false;
    }
  return true;
}

async function hasSentAll({ staff, bank, history, receiver }: Scene): Promise<boolean> {
  if (bank.open > 0) return false;
  const orders = history.sales.flatMap(({ order }) => order ?? []);
  if (!orders.every(({ id }) => receiver.taken.has(`order.placed ${id}`))) return false;
  const answer = await staff.call("/api/admin/smtp/outbox?state=waiting&limit=1", {}, 1);
  return answer?.status === 200 && JSON.stringify(answer.json).includes('"items":[]');
}

/** Every node shows the price that staff see, also to visitors. */
async function checkPrices(scene: Scene, editors: Editors, { mug }: Goods): Promise<void> {
  const { staff, kernel, machines } = scene;
  await kernel.sleep(FRESH_MS);
  const known = await staff.must(`/api/admin/products/${mug}`, { method: "GET" }, 200);
  const { price } = productSchema.parse(known);
  editors.check(price);
  for (const machine of machines) {
    const answer = await toNodeClient(scene, machine, SHOP_PORT).insist(`/api/products/${mug}`, {});
    const shown = productSchema.safeParse(answer?.json).data?.price;
    if (shown !== price) throw new Violation(`${machine.name} shows the price ${shown}, and it is ${price}`);
  }
}

async function play(scene: Scene): Promise<void> {
  const { kernel, machines, balancer, history, bank, staff, options, outside } = scene;
  const { seed, pauseMs } = options;
  await Promise.all(machines.map((machine) => machine.start()));
  const goods = await staff.prepare();
  const parts = (purpose: string): ClientParts => ({
    kernel,
    outside,
    machine: balancer,
    random: createRandom(seed, purpose),
  });
  await prepareAccounts(parts("accounts"));
  const workloads = [createShopWorkloads(parts, staff, options), createAccountWorkloads(parts, pauseMs)];
  for (const each of workloads) await each.prepare();
  const state = { hasEnded: false };
  const day = new WorkingDay(kernel);
  const isOver = (): boolean => day.isOver;
  const workEndMs = kernel.nowMs + options.hours * 60 * MINUTE;
  for (const fault of scene.faults)
    kernel.after(Math.max(0, fault.atMs - kernel.nowMs), () => {
      if (!day.isOver) injectShared(scene, fault);
    });
  const supervisors = machines.map((machine) =>
    goOn(
      kernel,
      keepRunning({ ...scene, machine }, () => state.hasEnded),
    ),
  );
  const editors = new Editors(parts("editors"), goods);
  const accounts = Array.from({ length: options.people }, (_, number) => {
    return new Person({ ...parts(`person ${number}`), pauseMs }, number);
  });
  const work = [
    staff.work(goods, day, pauseMs),
    rush({ ...parts("rush"), history, bank, goods, pauseMs }, staff, day),
    buyTwice(parts("impatient"), goods, isOver),
    registerTwins(parts("twins"), isOver),
    renewTwice(parts("renewer"), isOver),
    claimTwice(parts("claimants"), isOver),
    leaveTogether(parts("administrators"), isOver),
    ...accounts.map((person) => person.live(day)),
    ...Array.from({ length: EDITORS }, (_, number) => editors.edit(number, isOver)),
    ...Array.from({ length: options.buyers }, (_, number) =>
      new Buyer({ ...parts(`buyer ${number}`), history, bank, goods, pauseMs }, number).shop(day),
    ),
  ].map((run) => goOn(kernel, run));
  work.push(...workloads.flatMap((each) => each.work(kernel, day)));
  await kernel.sleep(workEndMs - kernel.nowMs);
  day.end();
  kernel.trace("the faults end");
  scene.database.calm();
  scene.bus.calm();
  for (const machine of machines) calmAll({ ...scene, machine });
  await waitUntil(kernel, "all nodes are healthy", { forMs: HEALTHY_MS, isTrue: () => isWell(scene) });
  await Promise.all(work);
  await checkOrders(staff, history);
  for (const person of accounts) await person.check();
  for (const each of workloads) history.acknowledged += await each.check();
  history.acknowledged += accounts.reduce(
    (sum, { acknowledged }) => sum + acknowledged,
    editors.acknowledged,
  );
  await checkPrices(scene, editors, goods);
  await waitUntil(kernel, "all mails and notifications are sent", {
    forMs: DRAINED_MS,
    isTrue: () => hasSentAll(scene),
  });
  state.hasEnded = true;
  await Promise.all(supervisors);
  await Promise.all(machines.map((machine) => machine.stop()));
  const [first] = machines;
  await first.runAs(first.createOwner(), () => checkAll(scene));
}

/** Reads the database as a process of its own. @throws Violation */
async function checkAll({ history, post, receiver }: Scene): Promise<void> {
  type Declared = Omit<Parameters<typeof openPostgresStore>[0], "url">;
  const open = (store: Declared): ReturnType<typeof openPostgresStore> =>
    openPostgresStore({ url: DATABASE_URL, ...store });
  await checkRecords(history, { post, receiver, secret: SECRET, open });
  const store = await open({ name: "auth", collections: authCollections });
  try {
    const findings = new Findings();
    const place = { secret: SECRET, where: "AUTH_SECRET" };
    await checkStore({ service: "auth", collections: authCollections, store, secret: place, findings });
    const [finding] = findings.list;
    if (finding !== undefined) throw new Violation(`trivet check: ${finding.where}: ${finding.problem}`);
  } finally {
    await store.close();
  }
}

function createMachines(kernel: Kernel, count: number): [Machine, ...Machine[]] {
  const create = (number: number): Machine =>
    new Machine(kernel, {
      name: `node${number}`,
      services: { auth: startAuth, shop: startShop },
      env: {
        SHOP_SECRET: SECRET,
        AUTH_SECRET: SECRET,
        DATABASE_URL,
        NATS_URL: "nats://bus.example:4222",
        SMTP_URL: "smtp://mail.example:25?from=shop@example.org",
      },
      onLog: (line) => kernel.note(`log ${line}`),
    });
  return [create(1), ...Array.from({ length: count - 1 }, (_, number) => create(number + 2))];
}

/** Runs a seed of several nodes from its beginning to its end. */
export async function simulateNodes(options: SimulationOptions): Promise<SimulationResult> {
  const { seed } = options;
  const kernel = new Kernel({ seed, startMs: toStart(options), onTrace: options.onTrace });
  const machines = createMachines(kernel, options.nodes ?? 2);
  const balancer = new Balancer(machines, createRandom(seed, "balancer"));
  const [outside, post, history] = [new Outside(kernel), new PostOffice(kernel), new History()];
  const clients = { kernel, machine: balancer, outside };
  // The program's own requests to another service of its node.
  outside.serve(`127.0.0.1:${AUTH_PORT}`, async (request) => {
    const { response, text } = await balancer.request(AUTH_PORT, request, {
      delayMs: 0.1,
      from: "127.0.0.1",
    });
    return new Response(text === "" ? null : text, response);
  });
  const untilMs = options.hours * 60 * MINUTE;
  const scene: Scene = {
    kernel,
    machines,
    balancer,
    outside,
    post,
    history,
    options,
    database: new DatabaseServer(kernel),
    bus: new BusServer(kernel),
    receiver: new Receiver(kernel, outside),
    bank: new Bank({ ...clients, random: createRandom(seed, "bank") }, history),
    staff: new Staff({ ...clients, random: createRandom(seed, "staff") }, history),
    faults: options.faults ?? planFaults(seed, { level: options.level, untilMs, kinds, isAimed: true }),
  };
  const outcome = await runScene(scene, () => play(scene));
  return {
    ...outcome,
    faults: scene.faults,
    acknowledged: history.acknowledged,
    orders: history.sales.filter(({ order }) => order !== undefined).length,
    starts: machines.reduce((sum, { starts }) => sum + starts, 0),
  };
}
