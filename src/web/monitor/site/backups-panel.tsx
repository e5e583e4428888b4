/** The backups: what there is, when the next one is due, and one more now. */
import type { JSX } from "preact";
import type { BackupsView } from "../../../monitor/site/backup-schema.ts";
import { toBytes, toMoment } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";

const BACKUPS = "/api/admin/backups";
const POLL_MS = 5_000;

type Backup = BackupsView["items"][number];

const columns: () => readonly TableColumn<Backup>[] = () => [
  {
    key: "createdAt",
    label: text("admin.backups.made"),
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: "size",
    label: text("admin.backups.size"),
    number: true,
    cell: ({ sizeBytes }) => toBytes(sizeBytes),
  },
  {
    key: "result",
    label: text("admin.backups.result"),
    cell: () => (
      <Badge kind="good" icon="check">
        {text("admin.backups.complete")}
      </Badge>
    ),
  },
  { key: "name", label: text("admin.backups.name"), cell: ({ name }) => <code>{name}</code> },
];

function toHint({ folder, everyHours = 0, keep = 0, nextAt }: BackupsView): string {
  if (folder === undefined) return text("admin.backups.off");
  const plan = { folder, hours: everyHours, keep };
  if (nextAt === undefined) return text("admin.backups.manual", plan);
  return text("admin.backups.plan", { ...plan, next: toMoment(Date.parse(nextAt)) });
}

/** The panel; nothing until the monitor has answered. */
export function BackupsPanel(): JSX.Element | null {
  const { data, error, refresh } = usePolled<BackupsView>(BACKUPS, POLL_MS);
  async function make(): Promise<void> {
    try {
      await adminRequest(BACKUPS, { method: "POST" });
    } catch (problem) {
      showProblem(problem);
    }
    await refresh();
  }
  if (data === undefined) return error === undefined ? null : <ErrorNote message={toMessage(error)} />;
  const { items, failure, folder, runningSince } = data;
  const isRunning = runningSince !== undefined;
  return (
    <Panel
      small
      title={text("admin.backups.title")}
      hint={toHint(data)}
      class="backups-panel"
      action={
        folder !== undefined && (
          <Button icon="copy" disabled={isRunning} onClick={() => void make()}>
            {text(isRunning ? "admin.backups.running" : "admin.backups.now")}
          </Button>
        )
      }
    >
      {data.withoutRecords && <Note icon="info">{text("admin.backups.database")}</Note>}
      {failure && (
        <ErrorNote
          message={text("admin.backups.failed", {
            at: toMoment(Date.parse(failure.at)),
            reason: failure.message,
          })}
        />
      )}
      {items.length > 0 ? (
        <Table
          caption={text("admin.backups.title")}
          columns={columns()}
          rows={items}
          keyOf={({ name }) => name}
        />
      ) : (
        folder !== undefined && <p>{text("admin.backups.none")}</p>
      )}
    </Panel>
  );
}
