/** Whether a container of a server runs, by what the server's agent reports: only the monitor itself knows that. */
import { z } from "zod";
import { trimmedLine } from "../../text/schemas.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";

const settings = () => ({
  /** ID of the server. */
  serverId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u, "must be the ID of a server"),
  /** As the agent reports its name. */
  container: trimmedLine(200),
  /** Whether it must be healthy too; one without a health check counts as healthy. */
  healthy: z.boolean().default(true),
});

export const container: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: ({ container: name, serverId }) => `container ${name} on ${serverId}`,
  address: ({ container: name, serverId }) => `${name} on ${serverId}`,
  host: () => undefined,
  isCentral: true,
  probe: async () => ({ fault: "unsupported", detail: "Only the monitor itself checks containers" }),
};

export const containerForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "server",
  name: "{container}",
  fields: {
    serverId: {},
    container: { placeholder: "db" },
    healthy: {},
  },
};
