/** The runtime of a simulated process: what it serves is called by simulated clients. */
import { SimulationError } from "../kernel/kernel.ts";
import type { GrpcOptions, HttpHandler, Runtime, UpgradeWebSocket } from "../../../src/runtime/runtime.ts";
import type { StreamListener } from "./streams.ts";

function refuse(what: string): never {
  throw new SimulationError(`The program asked the runtime to ${what}`);
}

export interface RuntimeParts {
  /** Gets each handler, and nothing when its listener is closed. */
  readonly listen: (port: number, handler: HttpHandler | undefined) => void;
  readonly listenForStreams: (port: number, options: GrpcOptions) => StreamListener;
  readonly upgradeWebSocket: UpgradeWebSocket;
}

/** Creates it. */
export function createSimulatedRuntime({
  listen,
  listenForStreams,
  upgradeWebSocket,
}: RuntimeParts): Runtime {
  return {
    name: "node",
    version: "simulated",
    env: () => ({}),
    isTerminal: false,
    args: [],
    serveHttp: async ({ hostname, port, handler }) => {
      if (typeof port !== "number") return refuse("listen on a Unix socket");
      listen(port, handler);
      return { hostname, port, close: async () => listen(port, undefined) };
    },
    upgradeWebSocket,
    serveGrpc: async (options) => {
      const { hostname, port } = options;
      if (typeof port !== "number") return refuse("listen on a Unix socket");
      const listener = listenForStreams(port, options);
      return {
        hostname,
        port,
        get healthy() {
          return !listener.isClosed;
        },
        close: ({ graceMs = 10_000 } = {}) => listener.close(graceMs),
      };
    },
    onStopSignal: () => undefined,
    print: () => undefined,
    readTextFile: () => refuse("read a file"),
    runSelf: () => refuse("start a process"),
    exit: () => refuse("exit"),
  };
}
