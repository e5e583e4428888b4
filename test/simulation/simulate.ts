/** A run: an install and the world around it, from a seed. */
import { startAuth } from "../../src/auth/service.ts";
import { startShop } from "../../src/shop/service.ts";
import { type Fault, type FaultLevel, planFaults } from "./faults/plan.ts";
import { type FaultTargets, calmAll, inject, keepRunning } from "./faults/inject.ts";
import { Kernel } from "./kernel/kernel.ts";
import { toStart } from "./kernel/start.ts";
import { createRandom } from "./kernel/random.ts";
import { checkAccounts } from "./accounts/checks.ts";
import { AUTH_PORT, Person, prepareAccounts } from "./accounts/people.ts";
import { createAccountWorkloads } from "./accounts/workloads.ts";
import { Bank } from "./shop/bank.ts";
import { Buyer } from "./shop/buyers.ts";
import { checkOrders, checkRecords } from "./shop/checks.ts";
import { History } from "./shop/history.ts";
import { Receiver } from "./shop/receiver.ts";
import { rush } from "./shop/rush.ts";
import { SHOP_PORT, Staff } from "./shop/staff.ts";
import { createShopWorkloads } from "./shop/workloads.ts";
import type { ClientParts } from "./world/client.ts";
import { Machine } from "./world/machine.ts";
import { Outside } from "./world/outside.ts";
import { PostOffice } from "./world/post.ts";
import { WorkingDay } from "./world/working-day.ts";
import { type Outcome, goOn, runScene, waitUntil } from "./world/scene.ts";

const SECRET = "a-secret-of-the-simulation-with-enough-characters";
const MINUTE = 60_000;
/** How soon after the last fault all must be well again. */
const HEALTHY_MS = 5 * MINUTE;
/** How soon after that the receiver of webhooks gets a new order. */
const REPORTED_MS = 10 * MINUTE;
/** How soon after that nothing may wait any longer. */
const DRAINED_MS = 120 * MINUTE;

/** To what runs stretch short intervals at which jobs look for work; every fourth short run leaves them as they are. */
const QUIET_PACE_MS = 30_000;

export type SceneName = "install" | "monitor" | "nodes";

export interface SimulationOptions {
  readonly seed: number;
  readonly hours: number;
  readonly level: FaultLevel;
  readonly buyers: number;
  /** Accounts; 0 runs the shop without an auth center. */
  readonly people: number;
  /** Mean time between two orders of one buyer. */
  readonly pauseMs: number;
  /** What is simulated; an install of shop and auth center on one machine by default. */
  readonly scene?: SceneName | undefined;
  /** Of the monitor: agents, and the time between two reports of one. */
  readonly agents?: number | undefined;
  readonly reportMs?: number | undefined;
  /** Of several nodes: how many. */
  readonly nodes?: number | undefined;
  /** In place of the faults of the seed. */
  readonly faults?: readonly Fault[] | undefined;
  readonly onTrace?: ((line: string) => void) | undefined;
}

export interface SimulationResult extends Outcome {
  readonly faults: readonly Fault[];
  readonly acknowledged: number;
  readonly orders: number;
  readonly starts: number;
}

interface Scene extends FaultTargets {
  readonly options: SimulationOptions;
  readonly faults: readonly Fault[];
  readonly history: History;
  readonly bank: Bank;
  readonly staff: Staff;
  readonly receiver: Receiver;
}

/** Whether every check of the health page passes. */
async function isWell({ staff }: Scene): Promise<boolean> {
  const answer = await staff.call("/api/health", {}, 1);
  return answer?.status === 200 && JSON.stringify(answer.json).includes('"status":"ok"');
}

async function hasSentAll({ staff, bank, history, receiver }: Scene): Promise<boolean> {
  if (bank.open > 0) return false;
  const orders = history.sales.flatMap(({ order }) => order ?? []);
  if (!orders.every(({ id }) => receiver.taken.has(`order.placed ${id}`))) return false;
  const answer = await staff.call("/api/admin/smtp/outbox?state=waiting&limit=1", {}, 1);
  return answer?.status === 200 && JSON.stringify(answer.json).includes('"items":[]');
}

function createPeople(scene: Scene): Person[] {
  const { people, seed, pauseMs } = scene.options;
  return Array.from({ length: people }, (_, number) => {
    const random = createRandom(seed, `person ${number}`);
    return new Person({ ...scene, random, pauseMs }, number);
  });
}

/** The program's own requests to another service of its machine. */
function connectServices(machine: Machine, outside: Outside): void {
  for (const port of [SHOP_PORT, AUTH_PORT])
    outside.serve(`127.0.0.1:${port}`, async (request) => {
      const { response, text } = await machine.request(port, request, { delayMs: 0.1, from: "127.0.0.1" });
      return new Response(text === "" ? null : text, response);
    });
}

async function play(scene: Scene): Promise<void> {
  const { kernel, machine, history, bank, staff, options, outside } = scene;
  await machine.start();
  const goods = await staff.prepare();
  const clients = (purpose: string): ClientParts => ({
    ...scene,
    random: createRandom(options.seed, purpose),
  });
  if (options.people > 0) await prepareAccounts(clients("accounts"));
  const workloads = [createShopWorkloads(clients, staff, options)];
  if (options.people > 0) workloads.push(createAccountWorkloads(clients, options.pauseMs));
  for (const each of workloads) await each.prepare();
  const state = { hasEnded: false };
  const day = new WorkingDay(kernel);
  const workEndMs = kernel.nowMs + options.hours * 60 * MINUTE;
  for (const fault of scene.faults)
    kernel.after(Math.max(0, fault.atMs - kernel.nowMs), () => {
      if (!day.isOver) inject(scene, fault);
    });
  const supervisor = goOn(
    kernel,
    keepRunning(scene, () => state.hasEnded),
  );
  const parts = { ...scene, goods, bank, history, pauseMs: options.pauseMs, outside };
  const createBuyer = (number: number): Buyer =>
    new Buyer({ ...parts, random: createRandom(options.seed, `buyer ${number}`) }, number);
  const people = Array.from({ length: options.buyers }, (_, number) =>
    goOn(kernel, createBuyer(number).shop(day)),
  );
  people.push(goOn(kernel, staff.work(goods, day, options.pauseMs)));
  people.push(goOn(kernel, rush({ ...parts, random: createRandom(options.seed, "rush") }, staff, day)));
  const accounts = createPeople(scene);
  people.push(...workloads.flatMap((each) => each.work(kernel, day)));
  people.push(...accounts.map((person) => goOn(kernel, person.live(day))));
  await kernel.sleep(workEndMs - kernel.nowMs);
  day.end();
  kernel.trace("the faults end");
  calmAll(scene);
  // Without a request to the health page, which tries a failed store again.
  await waitUntil(kernel, "takes changes", { forMs: HEALTHY_MS, isTrue: () => staff.canWrite() });
  await waitUntil(kernel, "healthy", { forMs: HEALTHY_MS, isTrue: () => isWell(scene) });
  scene.receiver.isCalm = true;
  const probe = await createBuyer(options.buyers).probe();
  await waitUntil(kernel, "a new order is reported", {
    forMs: REPORTED_MS,
    isTrue: () => scene.receiver.taken.has(`order.placed ${probe}`),
  });
  await Promise.all(people);
  await checkOrders(staff, history);
  for (const person of accounts) await person.check();
  for (const each of workloads) history.acknowledged += await each.check();
  history.acknowledged += accounts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  await waitUntil(kernel, "all mails and notifications are sent", {
    forMs: DRAINED_MS,
    isTrue: () => hasSentAll(scene),
  });
  state.hasEnded = true;
  await supervisor;
  await machine.stop();
  if (options.people > 0) await machine.runAs(machine.createOwner(), () => checkAccounts(SECRET));
  await machine.runAs(machine.createOwner(), () =>
    checkRecords(history, { post: scene.post, receiver: scene.receiver, secret: SECRET }),
  );
}

/** Runs a seed of an install from its beginning to its end. */
export async function simulateInstall(options: SimulationOptions): Promise<SimulationResult> {
  const { seed } = options;
  const paceMs = options.hours > 1 || seed % 4 !== 0 ? QUIET_PACE_MS : 0;
  const kernel = new Kernel({ seed, paceMs, startMs: toStart(options), onTrace: options.onTrace });
  const env = {
    SHOP_SECRET: SECRET,
    AUTH_SECRET: SECRET,
    SMTP_URL: "smtp://mail.example:25?from=shop@example.org",
  };
  const machine = new Machine(kernel, {
    name: "shop",
    services: options.people > 0 ? { auth: startAuth, shop: startShop } : { shop: startShop },
    env,
    onLog: (line) => kernel.note(`log ${line}`),
  });
  const [outside, post, history] = [new Outside(kernel), new PostOffice(kernel), new History()];
  const clients = { kernel, machine, outside };
  connectServices(machine, outside);
  const receiver = new Receiver(kernel, outside);
  const bank = new Bank({ ...clients, random: createRandom(seed, "bank") }, history);
  const staff = new Staff({ ...clients, random: createRandom(seed, "staff") }, history);
  const untilMs = options.hours * 60 * MINUTE;
  const faults = options.faults ?? planFaults(seed, { level: options.level, untilMs });
  const scene: Scene = { kernel, machine, outside, post, history, bank, staff, receiver, options, faults };
  const outcome = await runScene(scene, () => play(scene));
  return {
    ...outcome,
    faults,
    acknowledged: history.acknowledged,
    orders: history.sales.filter(({ order }) => order !== undefined).length,
    starts: machine.starts,
  };
}
