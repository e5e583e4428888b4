/** The runtime of a simulated process: what it serves is called by simulated clients. */
import { SimulationError } from "../kernel/kernel.ts";
import { type HttpHandler, type Runtime } from "../../../src/runtime/runtime.ts";

function refuse(what: string): never {
  throw new SimulationError(`The program asked the runtime to ${what}`);
}

/** Creates it; `listen` gets each handler. */
export function createSimulatedRuntime(
  listen: (port: number, handler: HttpHandler | undefined) => void,
): Runtime {
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
    upgradeWebSocket: () => refuse("open a WebSocket"),
    serveGrpc: () => refuse("serve gRPC"),
    onStopSignal: () => undefined,
    print: () => undefined,
    readTextFile: () => refuse("read a file"),
    runSelf: () => refuse("start a process"),
    exit: () => refuse("exit"),
  };
}
