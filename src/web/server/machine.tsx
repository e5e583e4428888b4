/** The parts of a machine that everybody sees: its mounts, the fullest first, and its network interfaces. */
import type { JSX } from "preact";
import type { ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { toBytes, toRate, toTraffic, UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Table } from "../ui/controls-table.tsx";
import { Meter } from "../ui/meter.tsx";
import { type Mount, readInterfaces, readMounts } from "./detail.ts";

function Disk({ mount: { path, usedBytes, totalBytes } }: { mount: Mount }): JSX.Element {
  const words = { used: toBytes(usedBytes), limit: toBytes(totalBytes) };
  return (
    <li class="fullness">
      <Meter label={path} percent={totalBytes > 0 ? (100 * usedBytes) / totalBytes : undefined} />
      <span class="quiet-text">
        {text("fleet.ofLimit", words)} ·{" "}
        {text("server.free", { free: toBytes(Math.max(0, totalBytes - usedBytes)) })}
      </span>
    </li>
  );
}

/** The disks; nothing when none is known. */
export function Disks({ detail }: { detail: ServerDetail }): JSX.Element | null {
  const mounts = readMounts(detail);
  if (mounts.length === 0) return null;
  return (
    <section
      class={`panel ${detail.state === "online" && detail.reports === undefined ? "" : "is-past"}`}
      aria-labelledby="disks"
    >
      <h2 id="disks">{text("server.disks")}</h2>
      <ul class="fullnesses">
        {mounts.map((mount) => (
          <Disk key={mount.path} mount={mount} />
        ))}
      </ul>
    </section>
  );
}

/** Bytes a second, and below them all since the machine started. */
function Flow(props: { rate: number | undefined; total: number | undefined }): JSX.Element {
  const { rate, total } = props;
  return (
    <>
      {rate === undefined ? UNKNOWN : toRate(rate)}
      <br />
      <span class="quiet-text">{total === undefined ? UNKNOWN : toTraffic(total)}</span>
    </>
  );
}

/** The network interfaces; nothing when none is known. */
export function Interfaces({ detail }: { detail: ServerDetail }): JSX.Element | null {
  const items = readInterfaces(detail);
  if (items.length === 0) return null;
  const isNow = detail.state === "online" && detail.reports === undefined;
  return (
    <section class={`panel ${isNow ? "" : "is-past"}`} aria-labelledby="interfaces">
      <h2 id="interfaces">{text("server.interfaces")}</h2>
      <Table
        caption={text("server.interfaces")}
        rows={items}
        keyOf={({ name }) => name}
        columns={[
          { key: "name", label: text("metric.name"), cell: ({ name }) => name },
          {
            key: "rx",
            label: text("metric.down"),
            number: true,
            cell: (item) => (
              <Flow rate={isNow ? item.rxBytesPerSecond : undefined} total={item.rxTotalBytes} />
            ),
          },
          {
            key: "tx",
            label: text("metric.up"),
            number: true,
            cell: (item) => (
              <Flow rate={isNow ? item.txBytesPerSecond : undefined} total={item.txTotalBytes} />
            ),
          },
        ]}
      />
      <p class="quiet-text below-table">{text("server.interfacesHint")}</p>
    </section>
  );
}
