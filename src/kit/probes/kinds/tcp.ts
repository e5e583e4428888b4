/** Whether a target takes a TCP connection. */
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { openTcp } from "../open-socket.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { runTry } from "../try.ts";

const settings = () => ({
  host: hostSchema,
  port: portSchema,
});

export const tcp: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: describePlace,
  address: describePlace,
  host: ({ host }) => host,
  probe: ({ host, port }, context) =>
    runTry(context, async (run) => {
      const { socket, address } = await openTcp(await run.findAddresses(host), { run, port });
      const latencyMs = run.elapsedMs();
      socket.destroy();
      return { latencyMs, detail: `Connected to ${describePlace({ host: address, port })}` };
    }),
};

export const tcpForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "plug",
  name: "{host}:{port}",
  fields: {
    host: { placeholder: "db.example.org" },
    port: { initial: 5_432 },
  },
};
