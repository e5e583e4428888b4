/** How the shop's program fares: what is worth a look, its surroundings, providers and jobs. */
import type { JSX } from "preact";
import type { SystemStatus } from "../../../shop/operation/answer-schema.ts";
import { toBytes, toNumber, toPercent, toSpan } from "../../app/format.ts";
import { currentLanguage, findText, text } from "../../app/texts.ts";
import { Ago, Badge, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { DoctorPanel } from "../../ui/console-page/doctor-panel.tsx";
import { AskedNewerVersion } from "../../ui/console-page/newer-version.tsx";
import { Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type Check, type Warning, warningPlaces } from "./system-data.ts";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/facts.tsx";

const STATUS = "/api/admin/system-status";
const EVERY_MS = 15_000;

/** The service's own sentence, which is exact and English; in another language the words of its code. */
function toWords({ code, message }: Warning): string {
  if (currentLanguage() === "en") return message;
  const [, name = ""] = /"([^"]+)"/u.exec(message) ?? [];
  return findText(`shop.system.warning.${code}`, { name }) ?? message;
}

function Warnings({ warnings }: Pick<SystemStatus, "warnings">): JSX.Element {
  if (warnings.length === 0) return <Note kind="good">{text("shop.system.allWell")}</Note>;
  return (
    <section class="stack-small" aria-labelledby="warnings">
      <h2 id="warnings">{text("shop.system.warnings")}</h2>
      <ul class="plain-list stack-small">
        {warnings.map((warning) => {
          const place = warningPlaces[warning.code];
          return (
            <li class="admin-note is-warn" key={warning.message}>
              <Icon name="alert" />
              <span>
                {toWords(warning)}
                {place !== undefined && (
                  <>
                    {" "}
                    <a href={place}>{text("shop.system.mend")}</a>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const checkKinds = { ok: "good", failing: "bad", unknown: "idle" } as const;

function CheckMark({ check }: { check: Check }): JSX.Element {
  return <Badge kind={checkKinds[check]}>{text(`shop.system.check.${check}`)}</Badge>;
}

function ProgramFacts({ status }: { status: SystemStatus }): JSX.Element {
  const { version, program, runtime, auth } = status;
  return (
    <Panel small title={text("shop.system.program")}>
      <Facts
        facts={[
          [
            text("admin.about.version"),
            <>
              {version} <AskedNewerVersion />
            </>,
          ],
          [text("shop.system.runtime"), program],
          [text("shop.system.uptime"), runtime && toSpan(1_000 * runtime.uptimeSeconds)],
          [text("shop.system.memory"), runtime && toBytes(runtime.residentBytes)],
          [text("shop.system.delay"), runtime && `${toNumber(runtime.eventLoopDelayMaxMs)} ms`],
          [text("shop.system.auth"), <CheckMark check={auth} />],
        ]}
      />
    </Panel>
  );
}

function Backups({ status }: { status: SystemStatus }): JSX.Element {
  const { hasBackups, backups } = status;
  if (hasBackups === false)
    return (
      <>
        <Badge kind="warn">{text("shop.system.noBackups")}</Badge>{" "}
        <span class="field-hint">{text("shop.system.noBackups.hint")}</span>
      </>
    );
  if (backups?.failure !== undefined)
    return (
      <>
        <Badge kind="bad">{text("shop.system.backupFailed")}</Badge> <span>{backups.failure}</span>
      </>
    );
  if (backups?.lastAt !== undefined) return <Moment at={backups.lastAt} />;
  return <>{text(backups?.nextAt === undefined ? "shop.system.backupUnknown" : "shop.system.backupSoon")}</>;
}

function RecordFacts({ status }: { status: SystemStatus }): JSX.Element {
  const { store, outbox, smtp, disk } = status;
  return (
    <Panel small title={text("shop.system.records")}>
      <Facts
        facts={[
          [
            text("shop.system.store"),
            <>
              <CheckMark check={store.status} /> {store.kind && text(`shop.system.store.${store.kind}`)}
            </>,
          ],
          [text("shop.system.count"), toNumber(store.records)],
          [
            text("shop.system.disk"),
            disk &&
              text("shop.system.diskFree", {
                free: toBytes(disk.freeBytes),
                share: toPercent((100 * disk.freeBytes) / Math.max(1, disk.totalBytes)),
              }),
          ],
          [text("shop.system.backups"), <Backups status={status} />],
          [
            text("shop.nav.mail"),
            `${text(`shop.system.mail.${smtp.state}`)} ${smtp.state === "on" ? smtp.host : ""}`,
          ],
          [
            text("shop.system.emails"),
            text("shop.system.outbox", {
              waiting: toNumber(outbox.waiting),
              failed: toNumber(outbox.failed),
              sent: toNumber(outbox.sent),
            }),
          ],
        ]}
      />
    </Panel>
  );
}

function Providers({ status }: { status: SystemStatus }): JSX.Element {
  return (
    <section class="stack-small" aria-labelledby="providers">
      <h2 id="providers">{text("shop.nav.providers")}</h2>
      <Table
        caption={text("shop.nav.providers")}
        rows={status.webhooks}
        keyOf={({ word }) => word}
        columns={[
          {
            key: "word",
            label: text("shop.ui.provider"),
            cell: ({ word }) => <a href={`/admin/providers/${word}`}>{word}</a>,
          },
          {
            key: "on",
            label: text("admin.column.state"),
            cell: ({ enabled }) => (
              <Badge kind={enabled ? "good" : "idle"}>
                {text(enabled ? "shop.system.on" : "shop.system.off")}
              </Badge>
            ),
          },
          {
            key: "last",
            label: text("shop.system.lastNotice"),
            cell: ({ lastNoticeAt }) => <Ago at={lastNoticeAt} />,
          },
          {
            key: "open",
            label: text("shop.system.openReviews"),
            number: true,
            cell: ({ openReviews }) => toNumber(openReviews),
          },
        ]}
      />
    </section>
  );
}

function Jobs({ status }: { status: SystemStatus }): JSX.Element {
  const failing = status.jobs.filter(({ lastError }) => lastError !== undefined);
  return (
    <details class="sales-table" open={failing.length > 0}>
      <summary>{text("shop.system.jobs", { count: toNumber(status.jobs.length) })}</summary>
      <Table
        caption={text("shop.system.job")}
        rows={status.jobs}
        keyOf={({ name }) => name}
        columns={[
          { key: "name", label: text("shop.system.job"), cell: ({ name }) => <code>{name}</code> },
          {
            key: "last",
            label: text("shop.system.lastRun"),
            cell: ({ lastRunAt }) => <Ago at={lastRunAt} />,
          },
          {
            key: "error",
            label: text("admin.queue.error"),
            cell: ({ lastError }) => <span class="break">{lastError ?? "–"}</span>,
          },
        ]}
      />
    </details>
  );
}

/** The section. */
export function SystemPage(): JSX.Element {
  const loaded = usePolled<SystemStatus>(STATUS, EVERY_MS);
  return (
    <>
      <PageHead title={text("shop.nav.system")} />
      <Loaded of={loaded}>
        {(data) => (
          <>
            <Warnings warnings={data.warnings} />
            <div class="system-facts">
              <ProgramFacts status={data} />
              <RecordFacts status={data} />
            </div>
            <Providers status={data} />
            <Jobs status={data} />
          </>
        )}
      </Loaded>
      <DoctorPanel />
    </>
  );
}
