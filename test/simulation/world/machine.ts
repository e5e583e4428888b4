/** A machine with a disk, on which the program is started, stopped, killed, and loses its power. */
import { loadConfig } from "../../../src/config.ts";
import { createLocalBus } from "../../../src/bus/local.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { newId } from "../../../src/kit/secrets/id.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { HttpHandler } from "../../../src/runtime/runtime.ts";
import type { RunningService, StartService } from "../../../src/service/service.ts";
import type { ServiceName } from "../../../src/kit/services.ts";
import { Disk } from "../disk/disk.ts";
import { type Kernel, SimulationError } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { createSimulatedRuntime } from "./runtime.ts";

export const ADMIN_TOKEN = "an-administrator-token-of-the-simulation";

/** A connection that ended without an answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface MachineOptions {
  readonly name: string;
  readonly services: Readonly<Partial<Record<ServiceName, StartService>>>;
  readonly env: Readonly<Record<string, string>>;
  /** Told of each line of the log from "warn" up. */
  readonly onLog?: (line: string) => void;
}

/** A process of the program, from its start to its end. */
interface Life {
  readonly owner: Owner;
  readonly handlers: Map<number, HttpHandler>;
  readonly running: RunningService[];
  /** Who waits for answers of it. */
  readonly waiting: Set<() => void>;
  isReady: boolean;
}

export class Machine {
  readonly disk: Disk;
  readonly name: string;
  readonly #kernel: Kernel;
  readonly #options: MachineOptions;
  #boots = 1;
  #starts = 0;
  #skewMs = 0;
  #offUntilMs = 0;
  #life: Life | undefined;

  constructor(kernel: Kernel, options: MachineOptions) {
    this.#kernel = kernel;
    this.#options = options;
    this.name = options.name;
    this.disk = new Disk(kernel, options.name);
    this.disk.makeFolder("/simulated");
    this.disk.root.sync();
  }

  get isUp(): boolean {
    return this.#life?.isReady === true;
  }

  /** Whether it has a process, or no power to start one. */
  get isRunning(): boolean {
    return this.#life !== undefined || this.#kernel.nowMs < this.#offUntilMs;
  }

  get starts(): number {
    return this.#starts;
  }

  createOwner(): Owner {
    this.#starts += 1;
    return {
      name: `${this.name}#${this.#starts}`,
      isAlive: true,
      skewMs: this.#skewMs,
      isProgram: true,
      boot: this.#boots,
      startTicks: this.#starts,
    };
  }

  /** Runs work as a process of its own on this machine. */
  runAs<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const caller = this.#kernel.owner;
    return new Promise((resolve, reject) => {
      const back = (run: () => void): void => void this.#kernel.after(0, run, { owner: caller });
      this.#kernel.after(
        0,
        () =>
          void work().then(
            (value) => back(() => resolve(value)),
            (error: unknown) => back(() => reject(error instanceof Error ? error : new Error(String(error)))),
          ),
        { owner },
      );
    });
  }

  /** Starts the program. @throws Error when it does not start; it has ended then */
  async start(): Promise<void> {
    const owner = this.createOwner();
    const life: Life = { owner, handlers: new Map(), running: [], waiting: new Set(), isReady: false };
    this.#life = life;
    this.#kernel.trace(`start ${owner.name}`);
    try {
      await this.#untilEnd(life, () => this.#startServices(life));
    } catch (error) {
      if (this.#life === life) this.#end("a failed start");
      throw error;
    }
    life.isReady = true;
  }

  /** Runs work of a process. @throws NoAnswer when the process ends before */
  #untilEnd(life: Life, work: () => Promise<void>): Promise<void> {
    const kernel = this.#kernel;
    const end = new Promise<never>((_resolve, reject) => {
      life.waiting.add(() => {
        kernel.after(0, () => reject(new NoAnswer("The process ended")), { owner: kernel.world });
      });
    });
    return Promise.race([this.runAs(life.owner, work), end]);
  }

  async #startServices({ handlers, running }: Life): Promise<void> {
    const config = loadConfig({
      DATA_DIR: "/simulated/data",
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      UPDATE_CHECK: "off",
      ...this.#options.env,
    });
    await nodeFileLayer.makeFolder(config.dataDir);
    const log = createLog({ level: "warn", write: (line) => this.#options.onLog?.(line), pretty: false });
    const runtime = createSimulatedRuntime((port, handler) => {
      if (handler === undefined) handlers.delete(port);
      else handlers.set(port, handler);
    });
    const services = Object.keys(this.#options.services) as ServiceName[]; // the keys of the options
    for (const service of services) {
      const start = this.#options.services[service];
      if (start === undefined) continue;
      const context = { config, services, runtime, clock: systemClock, log: log.child({ service }) };
      const bus = createLocalBus(newId("node"));
      running.push(await start({ ...context, bus, tokenHashes: [hashSecret(ADMIN_TOKEN)] }));
    }
  }

  /** Stops the program in order. */
  async stop(): Promise<void> {
    const life = this.#life;
    if (life === undefined) return;
    this.#kernel.trace(`stop ${life.owner.name}`);
    await this.#untilEnd(life, async () => {
      for (const service of life.running.toReversed()) await service.stop({ graceMs: 10_000 });
    });
    if (this.#life === life) this.#end("a stop");
  }

  #end(how: string): void {
    const life = this.#life;
    if (life === undefined) return;
    this.#kernel.trace(`${how} ends ${life.owner.name}`);
    this.#life = undefined;
    life.owner.isAlive = false;
    for (const tell of life.waiting) tell();
  }

  /** The process ends at once; what it wrote is there. */
  kill(): void {
    this.#end("a kill");
  }

  /** The machine ends at once and is off for a while; what was durable is there. */
  cutPower(offMs = 0): void {
    this.#end("a power cut");
    this.disk.cutPower();
    this.#boots += 1;
    this.#offUntilMs = this.#kernel.nowMs + offMs;
  }

  /** Sets the wall clock of the machine, for this and later processes. */
  setSkew(skewMs: number): void {
    this.#skewMs = skewMs;
    if (this.#life !== undefined) this.#life.owner.skewMs = skewMs;
  }

  /**
   * Sends a request to a port of the program, from the world. `delayMs` is the time of each way.
   * @throws NoAnswer when the port is closed, or the process ends before it answers
   */
  async request(port: number, request: Request, { delayMs, from }: { delayMs: number; from: string }) {
    const kernel = this.#kernel;
    if (kernel.owner !== kernel.world) throw new SimulationError("A request came from a program");
    await kernel.sleep(delayMs);
    const life = this.#life;
    const handler = life?.handlers.get(port);
    if (life === undefined || handler === undefined) throw new NoAnswer("The port is closed");
    const received = await new Promise<{ response: Response; text: string } | undefined>((resolve) => {
      const end = (): void => void kernel.after(delayMs, () => resolve(undefined), { owner: kernel.world });
      life.waiting.add(end);
      kernel.after(
        0,
        () =>
          void Promise.resolve(handler(request, { remoteAddress: from }))
            .then(async (response) => ({ response, text: await response.text() }))
            .then(
              (answer) => {
                life.waiting.delete(end);
                kernel.after(delayMs, () => resolve(answer), { owner: kernel.world });
              },
              (error: unknown) => kernel.fail(error),
            ),
        { owner: life.owner },
      );
    });
    if (received === undefined) throw new NoAnswer("The connection ended without an answer");
    return received;
  }
}
