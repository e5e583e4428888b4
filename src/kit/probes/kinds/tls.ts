/** Whether a target shows a good certificate. */
import { z } from "zod";
import {
  daysLeft,
  findCertificate,
  findCertificateFault,
  findEnding,
  toSeen,
  toServerName,
} from "../certificate.ts";
import { line } from "../../text/schemas.ts";
import { certificateDaysSchema, describePlace, hostSchema, portSchema } from "../fields.ts";
import { openTls } from "../open-socket.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { runTry } from "../try.ts";

const DEFAULT_PORT = 443;

const settings = () => ({
  host: hostSchema,
  port: portSchema.default(DEFAULT_PORT),
  /** The name that the certificate must be for; empty: the host's. */
  serverName: line(253).trim().default(""),
  certificateDays: certificateDaysSchema.default(0),
  /** Whether the chain need not end at a known authority: for private certificate authorities. */
  ignoresChain: z.boolean().default(false),
});

export const tls: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: (target) => `TLS ${describePlace(target)}`,
  address: ({ host, port }) => (port === DEFAULT_PORT ? host : describePlace({ host, port })),
  host: ({ host }) => host,
  probe: ({ host, port, serverName, certificateDays, ignoresChain }, context) =>
    runTry(context, async (run) => {
      const name = serverName === "" ? host : serverName;
      const addresses = await run.findAddresses(host);
      const { socket } = await openTls(addresses, { run, port, servername: toServerName(name) });
      run.finish("tls");
      const latencyMs = run.elapsedMs();
      const now = context.clock.now();
      const view = findCertificate(socket, { name, now, ca: context.ca });
      const protocol = socket.getProtocol() ?? "TLS";
      socket.destroy();
      if (view === undefined)
        return { fault: "certificate", latencyMs, detail: "The server has no certificate" };
      const seen = { latencyMs, certificate: toSeen(view) };
      const bad = findCertificateFault(view, {
        name,
        now,
        accepts: ignoresChain ? ["issuer"] : [],
      });
      if (bad !== undefined) return { ...seen, fault: "certificate", detail: bad };
      const ending = findEnding(view, { days: certificateDays, now });
      if (ending !== undefined) return { ...seen, ...ending };
      return { ...seen, detail: `${protocol}, ${daysLeft(view, now)} days left, of ${view.issuer}` };
    }),
};

export const tlsForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "lock",
  name: "{host}",
  fields: {
    host: { placeholder: "db.example.org" },
    port: {},
    certificateDays: { folded: true },
    serverName: { folded: true },
    ignoresChain: { folded: true },
  },
};
