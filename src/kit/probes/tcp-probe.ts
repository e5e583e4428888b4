/** Whether a target takes a TCP connection. */
import { openTcp } from "./open-socket.ts";
import type { ProbeKind } from "./probe.ts";
import { tcpParameters } from "./tcp.ts";
import { runTry } from "./try.ts";

/** "db.example.org:5432"; brackets around IPv6. */
export function describePlace({ host, port }: { host: string; port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export const tcpKind: ProbeKind<ReturnType<typeof tcpParameters>> = {
  parameters: tcpParameters,
  describe: describePlace,
  probe: ({ host, port }, context) =>
    runTry(context, async (run) => {
      const { socket, address } = await openTcp(await run.findAddresses(host), { run, port });
      const latencyMs = run.elapsedMs();
      socket.destroy();
      return { latencyMs, detail: `Connected to ${describePlace({ host: address, port })}` };
    }),
};
