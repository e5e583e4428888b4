/** A machine on which the services are started, stopped, killed, and lose their power. */
import { loadConfig } from "../../../src/config.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { HttpHandler } from "../../../src/runtime/runtime.ts";
import { openBus } from "../../../src/service/bus.ts";
import type { RunningService, StartService } from "../../../src/service/service.ts";
import type { ServiceName } from "../../../src/kit/services.ts";
import { type Kernel, SimulationError } from "../kernel/kernel.ts";
import { type End, type Process, Computer, NoAnswer } from "./computer.ts";
import { createSimulatedRuntime } from "./runtime.ts";
import { type SimulatedSocket, type SocketClient, SOCKET_HEADER, createUpgrade } from "./sockets.ts";
import { StreamListener } from "./streams.ts";

export { NoAnswer };

export const ADMIN_TOKEN = "an-administrator-token-of-the-simulation";

export interface MachineOptions {
  readonly name: string;
  readonly services: Readonly<Partial<Record<ServiceName, StartService>>>;
  readonly env: Readonly<Record<string, string>>;
  /** Told of each line of the log from "warn" up. */
  readonly onLog?: (line: string) => void;
}

/** A process of the program. */
interface Life extends Process {
  readonly handlers: Map<number, HttpHandler>;
  readonly listeners: Map<number, StreamListener>;
  readonly sockets: Map<string, SimulatedSocket>;
  readonly running: RunningService[];
  isReady: boolean;
}

/** The body of a response; undefined when it was cut off. */
async function readText(response: Response): Promise<string | undefined> {
  if (!/^(?:image\/|application\/octet-stream)/u.test(response.headers.get("content-type") ?? ""))
    return response.text();
  const bytes = await response.arrayBuffer().catch(() => undefined);
  return bytes && new TextDecoder("latin1").decode(bytes);
}

/** How a request gets there. */
interface Way {
  /** Of each direction, in milliseconds. */
  readonly delayMs: number;
  readonly from: string;
}

export class Machine extends Computer<Life> {
  readonly #options: MachineOptions;

  constructor(kernel: Kernel, options: MachineOptions) {
    super(kernel, options.name);
    this.#options = options;
  }

  get isUp(): boolean {
    return this.process?.isReady === true;
  }

  /** Starts the program. @throws Error when it does not start; it has ended then */
  async start(): Promise<void> {
    const owner = this.createOwner();
    const life: Life = {
      owner,
      handlers: new Map(),
      listeners: new Map(),
      sockets: new Map(),
      running: [],
      waiting: new Set(),
      isReady: false,
    };
    this.process = life;
    this.kernel.trace(`start ${owner.name}`);
    try {
      await this.untilEnd(life, () => this.#startServices(life));
    } catch (error) {
      if (this.process === life) this.end("stop");
      throw error;
    }
    life.isReady = true;
    const gap = this.gaps.at(-1);
    if (gap !== undefined) gap.to = Math.min(gap.to, this.kernel.nowMs);
  }

  async #startServices({ owner, handlers, listeners, sockets, running }: Life): Promise<void> {
    const { kernel } = this;
    const config = loadConfig({
      DATA_DIR: "/simulated/data",
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      UPDATE_CHECK: "off",
      ...this.#options.env,
    });
    await nodeFileLayer.makeFolder(config.dataDir);
    const log = createLog({ level: "warn", write: (line) => this.#options.onLog?.(line), pretty: false });
    const runtime = createSimulatedRuntime({
      listen: (port, handler) => {
        if (handler === undefined) handlers.delete(port);
        else handlers.set(port, handler);
      },
      listenForStreams: (port, options) => {
        const listener = new StreamListener(kernel, owner, options);
        listeners.set(port, listener);
        return listener;
      },
      upgradeWebSocket: createUpgrade(kernel, sockets),
    });
    const services = Object.keys(this.#options.services) as ServiceName[]; // the keys of the options
    for (const service of services) {
      const start = this.#options.services[service];
      if (start === undefined) continue;
      const own = { config, log: log.child({ service }) };
      const bus = await openBus(own, service);
      const context = { ...own, services, runtime, clock: systemClock, bus };
      const { addresses, stop } = await start({ ...context, tokenHashes: [hashSecret(ADMIN_TOKEN)] });
      const stopAll: RunningService["stop"] = async (options) => {
        await stop(options);
        await bus.close();
      };
      running.push({ addresses, stop: stopAll });
    }
  }

  /** Stops the program in order. */
  async stop(): Promise<void> {
    const life = this.process;
    if (life === undefined) return;
    this.kernel.trace(`stop ${life.owner.name}`);
    await this.untilEnd(life, async () => {
      for (const service of life.running.toReversed()) await service.stop({ graceMs: 10_000 });
    });
    if (this.process === life) this.end("stop");
  }

  /** Calls back when the process that runs now ends. */
  onEnd(tell: (how: End) => void): void {
    this.process?.waiting.add(tell);
  }

  /** The listener for agents at a port of the process that runs now. */
  findListener(port: number): StreamListener | undefined {
    return this.process?.listeners.get(port);
  }

  /**
   * Sends a request to a port of the program, from the world. `delayMs` is the time of each way.
   * @throws NoAnswer when the port is closed, or the process ends before it answers
   */
  async request(port: number, request: Request, way: Way) {
    const { response, text } = await this.#exchange(port, request, way);
    return { response, text };
  }

  /**
   * Opens a WebSocket; without one, the answer is returned alone.
   * @throws NoAnswer as {@link request}
   */
  async openSocket(
    port: number,
    request: Request,
    { client, ...way }: Way & { readonly client: SocketClient },
  ): Promise<{ readonly response: Response; readonly socket?: SimulatedSocket }> {
    const { response, life } = await this.#exchange(port, request, way);
    const socket = life.sockets.get(response.headers.get(SOCKET_HEADER) ?? "");
    if (socket === undefined) return { response };
    const { kernel } = this;
    if (!life.owner.isAlive) throw new NoAnswer("The process ended after the handshake");
    life.waiting.add((how) => {
      socket.drop();
      kernel.after(how === "power" ? 30_000 : way.delayMs, () => client.onClose(1006), {
        owner: kernel.world,
      });
    });
    kernel.after(0, () => socket.open(client, () => way.delayMs), { owner: life.owner });
    return { response, socket };
  }

  async #exchange(
    port: number,
    request: Request,
    { delayMs, from }: Way,
  ): Promise<{ readonly response: Response; readonly text: string; readonly life: Life }> {
    const { kernel } = this;
    if (kernel.owner !== kernel.world) throw new SimulationError("A request came from a program");
    await kernel.sleep(delayMs);
    const life = this.process;
    const handler = life?.handlers.get(port);
    if (life === undefined || handler === undefined) throw new NoAnswer("The port is closed");
    const received = await new Promise<{ response: Response; text: string } | undefined>((resolve) => {
      const end = (): void => void kernel.after(delayMs, () => resolve(undefined), { owner: kernel.world });
      life.waiting.add(end);
      kernel.after(
        0,
        () =>
          void Promise.resolve(handler(request, { remoteAddress: from }))
            .then(async (response) => {
              const text = await readText(response);
              return text === undefined ? undefined : { response, text };
            })
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
    return { ...received, life };
  }
}
