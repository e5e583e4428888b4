/** The network between the program and the services of others, which are models. */
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
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

export class Outside {
  trouble = calmNetwork();
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #services = new Map<string, OutsideService>();
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

  /** Other machines. */
  hosts(): string[] {
    return [...this.#services.keys()].filter((host) => !isLocal(host));
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
