/** Whether a target shows a good certificate. */
import {
  daysLeft,
  findCertificate,
  findCertificateFault,
  findEnding,
  toSeen,
  toServerName,
} from "./certificate.ts";
import { openTls } from "./open-socket.ts";
import type { ProbeKind } from "./probe.ts";
import { describePlace } from "./tcp-probe.ts";
import { tlsParameters } from "./tls.ts";
import { runTry } from "./try.ts";

export const tlsKind: ProbeKind<ReturnType<typeof tlsParameters>> = {
  parameters: tlsParameters,
  describe: (target) => `TLS ${describePlace(target)}`,
  probe: ({ host, port, serverName, certificateDays, ignoresChain }, context) =>
    runTry(context, async (run) => {
      const name = serverName === "" ? host : serverName;
      const addresses = await run.findAddresses(host);
      const { socket } = await openTls(addresses, { run, port, servername: toServerName(name) });
      run.finish("tls");
      const latencyMs = run.elapsedMs();
      const now = context.clock.now();
      const view = findCertificate(socket, { name, now });
      const protocol = socket.getProtocol() ?? "TLS";
      socket.destroy();
      if (view === undefined)
        return { fault: "certificate", latencyMs, detail: "The server has no certificate" };
      const seen = { latencyMs, certificate: toSeen(view) };
      const bad = findCertificateFault(view, { name, now, ignoresChain });
      if (bad !== undefined) return { ...seen, fault: "certificate", detail: bad };
      const ending = findEnding(view, { days: certificateDays, now });
      if (ending !== undefined) return { ...seen, ...ending };
      return { ...seen, detail: `${protocol}, ${daysLeft(view, now)} days left, of ${view.issuer}` };
    }),
};
