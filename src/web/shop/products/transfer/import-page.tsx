/** Products in and out as CSV: a trial that says line by line what is wrong, then the import, and what became of it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { countText, text } from "../../../app/texts.ts";
import { Button, Checkbox } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { sendFile } from "../../../ui/console/send-file.ts";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { toFaultWords } from "../../../ui/forms/fault-words.ts";
import { Panel } from "../../ui/panel.tsx";
import { PRODUCTS } from "../product-data.ts";
import { exampleCsv } from "./example-csv.ts";

interface LineError {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

interface Report {
  readonly dryRun: boolean;
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly LineError[];
}

/** "variants.0.price: must be …" as the place and what is wrong there. */
function splitMessage({ code, message }: LineError): { readonly field: string; readonly words: string } {
  const [, field = "", rest = message] = /^([\w.]+): (.+)$/su.exec(message) ?? [];
  const pointer = `/${field.split(".").at(-1) ?? ""}`;
  return { field, words: toFaultWords({ pointer, code, message: rest }) };
}

function Errors({ errors }: { errors: readonly LineError[] }): JSX.Element {
  return (
    <Table
      caption={text("shop.transfer.errors")}
      rows={errors}
      keyOf={(error) => `${error.line} ${error.message}`}
      columns={[
        { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
        {
          key: "field",
          label: text("shop.transfer.column"),
          cell: (error) => <code>{splitMessage(error).field}</code>,
        },
        { key: "message", label: text("shop.transfer.wrong"), cell: (error) => splitMessage(error).words },
      ]}
    />
  );
}

function Counts({ report }: { report: Report }): JSX.Element {
  return (
    <p>
      {countText("shop.transfer.created", report.created)}{" "}
      {countText("shop.transfer.updated", report.updated)}{" "}
      {report.errors.length > 0 && countText("shop.transfer.failed", report.errors.length)}
    </p>
  );
}

function Trial(props: { report: Report; busy: boolean; onImport: (partial: boolean) => void }): JSX.Element {
  const { report, busy, onImport } = props;
  const { created, updated, errors } = report;
  const good = created + updated;
  return (
    <section class="stack" aria-label={text("shop.transfer.trial")} role="status">
      <div class={`admin-note ${errors.length === 0 ? "is-good" : "is-warn"}`}>
        <div class="stack-small">
          <strong>
            {text(errors.length === 0 ? "shop.transfer.trial.good" : "shop.transfer.trial.bad")}
          </strong>
          <Counts report={report} />
        </div>
      </div>
      {errors.length > 0 && <Errors errors={errors} />}
      {good > 0 && (
        <div class="button-row">
          <Button kind="primary" disabled={busy} onClick={() => onImport(errors.length > 0)}>
            {countText(errors.length > 0 ? "shop.transfer.import.good" : "shop.transfer.import", good)}
          </Button>
        </div>
      )}
    </section>
  );
}

function Done({ report }: { report: Report }): JSX.Element {
  return (
    <section class="stack" aria-label={text("shop.transfer.done")} role="status">
      <div class={`admin-note ${report.errors.length === 0 ? "is-good" : "is-warn"}`}>
        <div class="stack-small">
          <strong>{text("shop.transfer.done")}</strong>
          <Counts report={report} />
        </div>
      </div>
      {report.errors.length > 0 && <Errors errors={report.errors} />}
      <div class="button-row">
        <a class="button primary" href="/admin/products">
          {text("shop.transfer.look")}
        </a>
      </div>
    </section>
  );
}

function Example(): JSX.Element {
  return (
    <>
      <div class="button-row">
        <a
          class="button"
          download="products-example.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(exampleCsv)}`}
        >
          {text("shop.transfer.example")}
        </a>
      </div>
      <p class="field-hint">{text("shop.transfer.amounts")}</p>
    </>
  );
}

function ImportPanel(): JSX.Element {
  const [file, setFile] = useState<File | undefined>();
  const [withCategories, setWithCategories] = useState(true);
  const [report, setReport] = useState<Report | undefined>();
  const [share, setShare] = useState(0);
  const task = useTask();
  function send(chosen: File, options: { dryRun: boolean; partial: boolean; categories: boolean }): void {
    const { dryRun, partial, categories } = options;
    const query = new URLSearchParams({
      ...{ dryRun: String(dryRun), partial: String(partial), createCategories: String(categories) },
    });
    setShare(0);
    void task.run(async () => {
      const path = `${PRODUCTS}/import?${query.toString()}`;
      const sent = { method: "POST", body: chosen, type: "text/csv", onProgress: setShare } as const;
      setReport(await sendFile<Report>(path, sent));
    });
  }
  function choose(chosen: File, categories: boolean): void {
    setFile(chosen);
    setReport(undefined);
    send(chosen, { dryRun: true, partial: false, categories });
  }
  const isDone = report?.dryRun === false;
  return (
    <Panel title={text("shop.transfer.title")} hint={text("shop.transfer.hint")}>
      <Example />
      <FileDrop
        label={file?.name ?? text("shop.transfer.drop")}
        accept=".csv,text/csv"
        disabled={task.busy}
        onFiles={([chosen]) => chosen && choose(chosen, withCategories)}
      >
        {text(file === undefined ? "shop.transfer.drop.hint" : "shop.transfer.drop.other")}
      </FileDrop>
      <Checkbox
        label={text("shop.transfer.categories")}
        checked={withCategories}
        disabled={task.busy}
        onChange={(on) => {
          setWithCategories(on);
          if (file !== undefined && !isDone) choose(file, on);
        }}
      />
      {task.busy && (
        <div role="status">
          <progress value={share < 1 ? share : undefined} max={1} aria-label={text("shop.transfer.busy")} />
          <p class="field-hint">{text("shop.transfer.busy")}</p>
        </div>
      )}
      {task.message !== undefined && file !== undefined && (
        <ErrorNote message={task.message} onRetry={() => choose(file, withCategories)} />
      )}
      {report && !isDone && file !== undefined && (
        <Trial
          report={report}
          busy={task.busy}
          onImport={(partial) => send(file, { dryRun: false, partial, categories: withCategories })}
        />
      )}
      {report && isDone && <Done report={report} />}
    </Panel>
  );
}

/** The section with "import" in its address. */
export function ImportPage(): JSX.Element {
  const path = `${PRODUCTS}/export?format=`;
  return (
    <>
      <Crumbs to="/admin/products" label="shop.nav.products" />
      <PageHead title={text("shop.transfer.title")} />
      <div class="stack beside-form">
        <ImportPanel />
        <Panel title={text("shop.transfer.export")} hint={text("shop.transfer.export.hint")}>
          <div class="button-row">
            <a class="button" href={`${path}csv`} download>
              {text("shop.transfer.export.csv")}
            </a>
            <a class="button" href={`${path}ndjson`} download>
              {text("shop.transfer.export.ndjson")}
            </a>
          </div>
        </Panel>
      </div>
    </>
  );
}
