/** How the shop's program fares: what is worth a look, its surroundings, providers and jobs. */
import type { ComponentChildren, JSX } from "preact";
import type { SystemStatus } from "../../../shop/operation/answer-schema.ts";
import { toBytes, toNumber, toPercent, toSpan } from "../../app/format.ts";
import { type TextName, currentLanguage, findText, text } from "../../app/texts.ts";
import { Ago, Badge, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { DoctorPanel } from "../../ui/console-page/doctor-panel.tsx";
import { AskedNewerVersion } from "../../ui/console-page/newer-version.tsx";
import { Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type Check, type Warning, warningPlaces } from "./system-data.ts";

const STATUS = "/api/admin/system-status";
const EVERY_MS = 15_000;

/** The service's own sentence, which is exact and English; in another language the words of its code. */
function toWords({ code, message }: Warning): string {
  if (currentLanguage() === "en") return message;
  const [, name = ""] = /"([^"]+)"/u.exec(message) ?? [];
  return findText(`shop.system.warning.${code}`, { name }) ?? message;
}

function Warnings({ warnings }: Pick<SystemStatus, "warnings">): JSX.Element {
  if (warnings.length === 0)
    return (
      <p class="admin-note is-good">
        <Icon name="check" />
        <span>{text("shop.system.allWell")}</span>
      </p>
    );
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

function Fact({ label, children }: { label: TextName; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{text(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ProgramFacts({ status }: { status: SystemStatus }): JSX.Element {
  const { version, program, runtime } = status;
  return (
    <section class="admin-panel stack-small" aria-labelledby="program">
      <h2 id="program">{text("shop.system.program")}</h2>
      <dl class="facts">
        <Fact label="admin.about.version">
          {version} <AskedNewerVersion />
        </Fact>
        {program !== undefined && <Fact label="shop.system.runtime">{program}</Fact>}
        {runtime && (
          <>
            <Fact label="shop.system.uptime">{toSpan(1_000 * runtime.uptimeSeconds)}</Fact>
            <Fact label="shop.system.memory">{toBytes(runtime.residentBytes)}</Fact>
            <Fact label="shop.system.delay">{`${toNumber(runtime.eventLoopDelayMaxMs)} ms`}</Fact>
          </>
        )}
        <Fact label="shop.system.auth">
          <CheckMark check={status.auth} />
        </Fact>
      </dl>
    </section>
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
    <section class="admin-panel stack-small" aria-labelledby="records">
      <h2 id="records">{text("shop.system.records")}</h2>
      <dl class="facts">
        <Fact label="shop.system.store">
          <CheckMark check={store.status} /> {store.kind && text(`shop.system.store.${store.kind}`)}
        </Fact>
        <Fact label="shop.system.count">{toNumber(store.records)}</Fact>
        {disk && (
          <Fact label="shop.system.disk">
            {text("shop.system.diskFree", {
              free: toBytes(disk.freeBytes),
              share: toPercent((100 * disk.freeBytes) / Math.max(1, disk.totalBytes)),
            })}
          </Fact>
        )}
        <Fact label="shop.system.backups">
          <Backups status={status} />
        </Fact>
        <Fact label="shop.nav.mail">
          {text(`shop.system.mail.${smtp.state}`)} {smtp.state === "on" && smtp.host}
        </Fact>
        <Fact label="shop.system.emails">
          {text("shop.system.outbox", {
            waiting: toNumber(outbox.waiting),
            failed: toNumber(outbox.failed),
            sent: toNumber(outbox.sent),
          })}
        </Fact>
      </dl>
    </section>
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
