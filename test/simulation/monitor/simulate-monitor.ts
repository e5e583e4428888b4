/** A run of the monitor: agents, viewers, jobs, targets and receivers around it, from a seed. */
import { startMonitor } from "../../../src/monitor/service.ts";
import { type FaultTargets, calmAll, inject, keepRunning } from "../faults/inject.ts";
import { type Fault, type FaultKind, installKinds, pickAimed, planFaults } from "../faults/plan.ts";
import { injectShared } from "../faults/shared.ts";
import { Kernel } from "../kernel/kernel.ts";
import { createRandom } from "../kernel/random.ts";
import { DatabaseServer } from "../postgres/server.ts";
import type { SimulationOptions, SimulationResult } from "../simulate.ts";
import { goOn, runScene, waitUntil } from "../world/scene.ts";
import { Balancer } from "../world/balancer.ts";
import { BusServer } from "../world/bus-server.ts";
import { Violation } from "../world/client.ts";
import { Machine } from "../world/machine.ts";
import { Outside } from "../world/outside.ts";
import { PostOffice } from "../world/post.ts";
import { AgentMachine } from "./agent-machine.ts";
import { checkMonitor } from "./checks.ts";
import { Confused } from "./confused.ts";
import { Hooks } from "./hooks.ts";
import { Job } from "./jobs.ts";
import { GRACE_SECONDS, Operator, type Setup } from "./operator.ts";
import { Leaders } from "./leaders.ts";
import { Targets, hostOf } from "./targets.ts";
import { Viewer } from "./viewer.ts";
import { Weather } from "./weather.ts";

const DATABASE_URL = "postgres://trivet:password@database.example:5432/trivet";
const SECRET = "a-secret-of-the-simulation-with-enough-characters";
const MINUTE = 60_000;
/** How soon after the last fault all agents must be online. */
const HEALTHY_MS = 5 * MINUTE;
/** How soon after that nothing may wait any longer. */
const DRAINED_MS = 60 * MINUTE;
/** The outage that ends each run is this long. */
const OUTAGE_MS = 5 * MINUTE;
const VIEWERS = 2;
const AGENTS = 20;
const REPORT_MS = 15_000;

/** How soon every node knows what another one has changed. */
const FRESH_MS = MINUTE;
/** The balancer before several nodes is configured again so often. */
const RELOAD_MS = MINUTE;

const ofAgents = [
  "network",
  ...(["agent-kill", "agent-kill", "agent-power", "agent-power", "agent-restart"] as const),
] as const;

const kinds = [...installKinds, ...ofAgents] as const;

const kindsOfNodes = [
  ...(["kill", "kill", "power", "power", "restart", "clock", "network"] as const),
  ...(["disk-full", "sync-fails", "write-fails", "slow-disk"] as const),
  ...(["post-flaky", "outside-down"] as const),
  ...(["database-slow", "database-conflicts", "database-drops", "database-loses-answers"] as const),
  ...(["pause", "pause", "database-parted", "database-parted"] as const),
  ...(["database-silent", "database-down", "bus-lossy", "bus-parted", "bus-down"] as const),
  ...ofAgents,
] as const satisfies readonly FaultKind[];

const FAILED_WRITES: ReadonlySet<string> = new Set(["disk-full", "sync-fails", "write-fails"]);

interface Scene extends Omit<FaultTargets, "machine"> {
  readonly options: SimulationOptions;
  readonly faults: readonly Fault[];
  readonly machines: readonly [Machine, ...Machine[]];
  /** What several machines have in common. */
  readonly shared: { readonly database: DatabaseServer; readonly bus: BusServer } | undefined;
  readonly balancer: Balancer;
  readonly operator: Operator;
  readonly hooks: Hooks;
  readonly targets: Targets;
  readonly weather: Weather;
  /** When each fault came, in virtual milliseconds. */
  readonly troubles: number[];
}

function createAgents(scene: Scene, { agents }: Setup): [AgentMachine, ...AgentMachine[]] {
  const { kernel, outside, balancer, options } = scene;
  const machines = agents.map(
    ({ id, key }, number) =>
      new AgentMachine(
        {
          kernel,
          outside,
          random: createRandom(options.seed, `agent ${number}`),
          findMachine: () => balancer.findHost(),
          intervalMs: options.reportMs ?? REPORT_MS,
        },
        { id, key, number },
      ),
  );
  const [first, ...rest] = machines;
  if (first === undefined) throw new RangeError("A monitor needs an agent");
  return [first, ...rest];
}

/** One machine after another is busy for some minutes. */
async function heat({ kernel, options }: Scene, machines: readonly AgentMachine[], isOver: () => boolean) {
  const random = createRandom(options.seed, "heat");
  while (!isOver()) {
    await kernel.sleep(random.wait(6 * MINUTE));
    const machine = machines[random.below(machines.length)];
    if (machine === undefined || isOver()) continue;
    machine.isHot = true;
    await kernel.sleep(3 * MINUTE);
    machine.isHot = false;
  }
}

/** Lets a fault happen to the nodes, or to an agent. */
function injectInto(scene: Scene, agents: readonly [AgentMachine, ...AgentMachine[]], fault: Fault): void {
  const { machines, shared, kernel } = scene;
  scene.troubles.push(kernel.nowMs);
  scene.weather.note(fault, pickAimed(fault, machines));
  if (fault.kind === "agent-kill" || fault.kind === "agent-power" || fault.kind === "agent-restart")
    pickAimed(fault, agents).suffer(fault);
  else if (shared === undefined) inject({ ...scene, machine: machines[0] }, fault);
  else injectShared({ ...scene, ...shared, usesDisks: true }, fault);
}

/** Moves agents between nodes. */
async function moveAgents({ kernel, balancer, options }: Scene, isOver: () => boolean): Promise<void> {
  const random = createRandom(options.seed, "moves");
  while (!isOver()) {
    await kernel.sleep(random.wait(RELOAD_MS));
    if (!isOver()) balancer.reload();
  }
}

/** Only the leader sends alerts and runs checks. */
function followLeaders({ kernel, outside }: Scene, database: DatabaseServer): void {
  const leaders = new Leaders(kernel, database);
  outside.onSend = ({ host }, program) => leaders.act(program, `a request to ${host}`);
}

/** What was changed on any node is known on all of them within a minute. */
async function checkChanges(
  { kernel, operator, machines, hooks }: Scene,
  witnesses: readonly Operator[],
  agents: readonly AgentMachine[],
): Promise<void> {
  const before = hooks.taken.length;
  await operator.addLastRule();
  const told = (): number =>
    hooks.taken.slice(before).filter(({ kind, title }) => kind === "firing" && /memory/iu.test(title)).length;
  await waitUntil(kernel, "a new rule is applied", {
    forMs: FRESH_MS,
    isTrue: () => told() >= agents.length,
  });
  await kernel.sleep(FRESH_MS);
  for (const [at, witness] of witnesses.entries())
    await operator.checkNames(witness, machines[at]?.name ?? "");
}

/** Whether every node is healthy, and sees all agents online. */
async function areWell(witnesses: readonly Operator[]): Promise<boolean> {
  for (const witness of witnesses) if (!(await witness.isWell())) return false;
  return true;
}

/** After all trouble an outage is reported once, and so is its end. */
async function checkOutage(scene: Scene, machine: AgentMachine): Promise<void> {
  const { kernel, hooks } = scene;
  // The end of an earlier outage is reported until then.
  await kernel.sleep(2 * MINUTE);
  const before = hooks.taken.length;
  const told = (kind: string): number =>
    hooks.taken
      .slice(before)
      .filter(({ title }) => /\b(?:offline|online)\b/u.test(title))
      .filter((notice) => notice.kind === kind && notice.title.includes(`Server ${machine.place.number}`))
      .length;
  machine.suffer({ kind: "agent-kill", forMs: OUTAGE_MS });
  await waitUntil(kernel, "an outage is told", {
    forMs: (GRACE_SECONDS + 60) * 1_000,
    isTrue: () => told("firing") === 1,
  });
  await waitUntil(kernel, "its end is told", { forMs: OUTAGE_MS, isTrue: () => told("resolved") === 1 });
  await kernel.sleep(2 * MINUTE);
  if (told("firing") !== 1 || told("resolved") !== 1)
    throw new Violation(`An outage was told ${told("firing")} times, and its end ${told("resolved")} times`);
}

const UP: ReadonlySet<string> = new Set(["steady", "slow", "gate", "drip"]);

async function checkTargets({ operator, targets }: Scene, { checks }: Setup): Promise<void> {
  for (const [name, id] of checks) {
    const { falls = 0 } = targets.attempts.get(hostOf(name)) ?? {};
    const found = await operator.countFalls(id);
    if (found > falls)
      throw new Violation(`The check "${name}" went down ${found} times; it failed ${falls} times`);
    const state = await operator.findState(id);
    const expected = name === "flapping" ? undefined : UP.has(name) ? "up" : "down";
    if (expected !== undefined && state !== expected)
      throw new Violation(`The check "${name}" is ${state}, not ${expected}`);
  }
}

async function play(scene: Scene): Promise<void> {
  const { kernel, machines, shared, balancer, operator, options, outside, post, hooks } = scene;
  const { seed } = options;
  await Promise.all(machines.map((machine) => machine.start()));
  const setup = await operator.prepare(options.agents ?? AGENTS);
  const agents = createAgents(scene, setup);
  for (const agent of agents) agent.start();
  const state = { isOver: false, hasEnded: false };
  const isOver = (): boolean => state.isOver;
  const workEndMs = kernel.nowMs + options.hours * 60 * MINUTE;
  for (const fault of scene.faults)
    kernel.after(Math.max(0, fault.atMs - kernel.nowMs), () => {
      if (!state.isOver) injectInto(scene, agents, fault);
    });
  const supervisors = machines.map((machine) =>
    goOn(
      kernel,
      keepRunning({ ...scene, machine }, () => state.hasEnded),
    ),
  );
  const parts = { kernel, machine: balancer, outside };
  const jobs = setup.heartbeats.map(
    (heartbeat, number) => new Job({ ...parts, random: createRandom(seed, `job ${number}`) }, heartbeat),
  );
  const viewers = Array.from(
    { length: VIEWERS },
    (_, number) => new Viewer({ ...parts, random: createRandom(seed, `viewer ${number}`) }, number),
  );
  const confused = new Confused({ ...parts, random: createRandom(seed, "confused") }, setup.confused);
  const work = [
    operator.work(isOver),
    heat(scene, agents, isOver),
    ...jobs.map((job) => job.run(isOver)),
    confused.run(() => state.hasEnded),
    ...viewers.map((viewer) => viewer.watch(() => state.hasEnded)),
    ...(shared === undefined ? [] : [moveAgents(scene, isOver)]),
  ].map((run) => goOn(kernel, run));
  await kernel.sleep(workEndMs - kernel.nowMs);
  state.isOver = true;
  hooks.isCalm = true;
  kernel.trace("the faults end");
  for (const machine of machines) {
    calmAll({ ...scene, machine });
    scene.weather.setSkew(machine, 0);
  }
  shared?.database.calm();
  shared?.bus.calm();
  for (const agent of agents) agent.start();
  const lastMs = Math.max(
    0,
    ...agents.flatMap(({ outages }) => outages.map(({ to }) => to)).filter(Number.isFinite),
  );
  kernel.trace(`the last agent is back since ${lastMs.toFixed(0)}`);
  const witnesses = machines.map(
    (machine) => new Operator({ ...parts, machine, random: createRandom(seed, `witness ${machine.name}`) }),
  );
  await waitUntil(kernel, "healthy, and all agents are online", {
    forMs: HEALTHY_MS,
    isTrue: () => areWell(witnesses),
  });
  await waitUntil(kernel, "all reports and notifications are sent", {
    forMs: DRAINED_MS,
    isTrue: async () =>
      agents.every(({ waiting }) => (waiting ?? 1) <= 1) && (await operator.countWaiting()) === 0,
  });
  await checkOutage(scene, agents[0]);
  for (const viewer of viewers)
    if (
      kernel.nowMs - viewer.lastFrameMs > MINUTE ||
      [...viewer.states.values()].some((one) => one !== "online")
    )
      throw new Violation(`A viewer shows ${JSON.stringify([...viewer.states])}`);
  await operator.check();
  if (shared !== undefined) await checkChanges(scene, witnesses, agents);
  for (const job of jobs) await job.check(operator);
  await confused.check(operator);
  await checkTargets(scene, setup);
  operator.acknowledged += [
    ...agents.map(({ acknowledged }) => acknowledged.size),
    ...jobs.map((job) => job.acknowledged),
  ].reduce((sum, count) => sum + count, 0);
  state.hasEnded = true;
  await Promise.all([...supervisors, ...work.slice(0, 2 + jobs.length)]);
  for (const agent of agents) agent.kill();
  // What had been sent is stored.
  await kernel.sleep(MINUTE);
  await waitUntil(kernel, "all notifications are sent", {
    forMs: 10 * MINUTE,
    isTrue: async () => (await operator.countWaiting()) === 0,
  });
  await Promise.all(machines.map((machine) => machine.stop()));
  const [first] = machines;
  await first.runAs(first.createOwner(), () =>
    checkMonitor({
      nodes: machines,
      databaseUrl: shared && DATABASE_URL,
      machines: agents,
      hooks,
      post,
      secret: SECRET,
      hasFailedWrites: scene.faults.some(({ kind }) => FAILED_WRITES.has(kind)),
      isClockRight: !scene.faults.some(({ kind }) => kind === "clock"),
      wasTroubled: (atMs) => scene.troubles.some((trouble) => Math.abs(trouble - atMs) < 15 * MINUTE),
      mayRepeat: (fromMs, toMs) => shared !== undefined && scene.weather.wasBad(fromMs, toMs),
    }),
  );
}

function createNodes(kernel: Kernel, count: number): [Machine, ...Machine[]] {
  const shared = { DATABASE_URL, NATS_URL: "nats://bus.example:4222" };
  const create = (number: number): Machine =>
    new Machine(kernel, {
      name: count === 1 ? "monitor" : `node${number}`,
      services: { monitor: startMonitor },
      env: {
        MONITOR_SECRET: SECRET,
        SMTP_URL: "smtp://mail.example:25?from=monitor@example.org",
        CHECK_ANCHORS: "",
        ...(count === 1 ? {} : shared),
      },
      onLog: (line) => kernel.note(`log ${line}`),
    });
  return [create(1), ...Array.from({ length: count - 1 }, (_, number) => create(number + 2))];
}

/** Runs a seed of the monitor from its beginning to its end. */
export async function simulateMonitor(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, nodes = 1 } = options;
  const kernel = new Kernel({ seed, onTrace: options.onTrace });
  const machines = createNodes(kernel, nodes);
  const shared =
    nodes === 1 ? undefined : { database: new DatabaseServer(kernel), bus: new BusServer(kernel) };
  const balancer = new Balancer(machines, createRandom(seed, "balancer"));
  const [outside, post] = [new Outside(kernel), new PostOffice(kernel)];
  const random = createRandom(seed, "operator");
  const operator = new Operator({ kernel, machine: balancer, outside, random });
  const plan = { level: options.level, untilMs: options.hours * 60 * MINUTE, isAimed: true };
  const faults =
    options.faults ?? planFaults(seed, { ...plan, kinds: shared === undefined ? kinds : kindsOfNodes });
  const scene: Scene = {
    kernel,
    machines,
    shared,
    balancer,
    outside,
    post,
    options,
    faults,
    operator,
    hooks: new Hooks(kernel, outside),
    targets: new Targets(kernel, outside),
    troubles: [],
    weather: new Weather(kernel, machines),
  };
  if (shared !== undefined) followLeaders(scene, shared.database);
  const outcome = await runScene({ kernel, outside, post, ...shared }, () => play(scene));
  return {
    ...outcome,
    faults,
    acknowledged: operator.acknowledged,
    orders: 0,
    starts: machines.reduce((sum, { starts }) => sum + starts, 0),
  };
}
