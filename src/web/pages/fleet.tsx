/** The first page: all visible servers. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/view-schema.ts";
import { useFleet } from "../app/fleet.ts";
import { toPercent, toRate } from "../app/format.ts";
import { readNumber, readUsedPercent } from "../app/sample.ts";
import { text } from "../app/texts.ts";

function ServerRow({ server }: { server: PublicServer }): JSX.Element {
  const cpu = readNumber(server, "cpu.usagePercent");
  const memory = readUsedPercent(server, "memory");
  const rx = readNumber(server, "network.rxBytesPerSecond");
  return (
    <li class="server-row">
      <a href={`/servers/${server.id}`}>{server.name}</a>
      <span>{text(`state.${server.state}`)}</span>
      <span>{cpu === undefined ? "–" : toPercent(cpu)}</span>
      <span>{memory === undefined ? "–" : toPercent(memory)}</span>
      <span>{rx === undefined ? "–" : toRate(rx)}</span>
    </li>
  );
}

/** The fleet. */
export function FleetPage(): JSX.Element {
  const { servers, loaded } = useFleet();
  if (!loaded) return <p class="empty">{text("page.loading")}</p>;
  if (servers.length === 0) return <p class="empty">{text("fleet.empty")}</p>;
  return (
    <ul class="server-list">
      {servers.map((server) => (
        <ServerRow server={server} key={server.id} />
      ))}
    </ul>
  );
}
