/** The network between the program and the services of others, which are models. */
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { Line } from "./line.ts";
import { type Random, createRandom } from "../kernel/random.ts";

/** A service of others: what it answers to a request. */
export type OutsideService = (request: Request) => Promise<Response>;

/** How bad the network is. */
export interface NetworkTrouble {
  /** Probability that a request never arrives. */
  losesRequest: number;
  /** Probability that a response never arrives. */
  losesResponse: number;
  /** Mean time of one way, in milliseconds. */
  wayMs: number;
}

export const calmNetwork = (): NetworkTrouble => ({ losesRequest: 0, losesResponse: 0, wayMs: 20 });

/** Between processes of one machine. */
const loopback: NetworkTrouble = { losesRequest: 0, losesResponse: 0, wayMs: 0.2 };

const isLocal = (host: string): boolean => host.startsWith("127.0.0.1:");

/** As a socket reports it. */
const toReset = (): Error => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const toRefusal = (): Error => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

interface Sending {
  readonly signal?: AbortSignal | undefined;
  readonly onArrival?: () => void;
}

export interface Received {
  readonly response: Response;
  readonly text: string;
}

/** A server at a port. */
export interface PortService {
  readonly name: string;
  /** Whether a connection is all that is wanted of it. */
  readonly isMute: boolean;
  /** A program has connected. */
  readonly greet: (line: Line) => Promise<void>;
}

export class Outside {
  trouble = calmNetwork();
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #services = new Map<string, OutsideService>();
  readonly #ports = new Map<number, PortService>();
  /** Hosts that are down. */
  readonly down = new Set<string>();
  /** Told how each request of the program ended: with a status, or without an answer. */
  onEnd: ((url: URL, status: number | undefined) => void) | undefined;
  /** Told of each request of the program as it begins. */
  onSend: ((url: URL, program: Owner) => void) | undefined;
  requests = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "network");
  }

  serve(host: string, service: OutsideService): void {
    this.#services.set(host, service);
  }

  servePort(port: number, service: PortService): void {
    this.#ports.set(port, service);
  }

  /** Other machines. */
  hosts(): string[] {
    const names = [...this.#ports.values()].map(({ name }) => name);
    return [...[...this.#services.keys()].filter((host) => !isLocal(host)), ...names];
  }

  /** Connects the program to a port. @throws Error as a socket gives it, or the reason of the signal */
  connect(port: number, signal: AbortSignal): Promise<Line> {
    const kernel = this.#kernel;
    const program = kernel.owner;
    const { losesRequest, losesResponse, wayMs } = this.trouble;
    const random = this.#random;
    const delayMs = (): number => random.wait(wayMs);
    const service = this.#ports.get(port);
    const url = new URL(`tcp://${service?.name ?? "nobody.example"}:${port}`);
    this.onSend?.(url, program);
    return new Promise((resolve, refuse) => {
      let isOver = false;
      const reject = (error: Error): void => {
        if (isOver) return;
        isOver = true;
        this.onEnd?.(url, undefined);
        refuse(error);
      };
      const back = (run: () => void): void =>
        void kernel.after(delayMs() + delayMs(), run, { owner: program });
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      if (service === undefined || this.down.has(service.name)) return back(() => reject(toRefusal()));
      if (random.chance(losesRequest)) return back(() => reject(toReset()));
      return back(() => {
        if (isOver) return;
        isOver = true;
        const onEnd = (isGood: boolean): void => this.onEnd?.(url, isGood ? 200 : undefined);
        const line = new Line(kernel, { to: program, delayMs, isGood: service.isMute, onEnd });
        resolve(line);
        kernel.after(0, () => void service.greet(line), { owner: kernel.world });
        if (!service.isMute && random.chance(losesResponse)) line.hangUp();
      });
    });
  }

  /** Sends a request of the program. @throws Error as a socket gives it, or the reason of the signal */
  send(request: Request, { signal, onArrival }: Sending): Promise<Received> {
    const kernel = this.#kernel;
    const program = kernel.owner;
    const random = this.#random;
    const url = new URL(request.url);
    const { losesRequest, losesResponse, wayMs } = isLocal(url.host) ? loopback : this.trouble;
    this.requests += 1;
    this.onSend?.(url, program);
    const service = this.down.has(url.host) ? undefined : this.#services.get(url.host);
    return new Promise((resolve, refuse) => {
      let isOver = false;
      const settle = (status: number | undefined, run: () => void): void => {
        if (!isOver) this.onEnd?.(url, status);
        isOver = true;
        run();
      };
      const reject = (error: Error): void => settle(undefined, () => refuse(error));
      const back = (run: () => void): void => void kernel.after(random.wait(wayMs), run, { owner: program });
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      if (service === undefined) return back(() => reject(toRefusal()));
      if (random.chance(losesRequest)) return back(() => reject(toReset()));
      const arrive = (): void => {
        void service(request)
          .then(async (response) => ({ response, text: await response.text() }))
          .then(
            (received) => {
              kernel.trace(
                `${url.host} answers ${request.method} ${url.pathname} with ${received.response.status}`,
              );
              if (random.chance(losesResponse)) return back(() => reject(toReset()));
              return back(() => settle(received.response.status, () => resolve(received)));
            },
            () => back(() => reject(toReset())),
          );
      };
      kernel.after(random.wait(wayMs), () => onArrival?.());
      kernel.after(random.wait(wayMs), arrive, { owner: kernel.world });
    });
  }
}
