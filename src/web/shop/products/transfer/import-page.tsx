/** Products in and out as CSV: a trial that says line by line what is wrong, then the import, and what became of it. */
import type { JSX } from "preact";
import type { Encoding } from "../../../../kit/files/decode-text.ts";
import type { ProductImportReport as Report } from "../../../../shop/transfer/answer-schema.ts";
import { csvSeparator } from "../../../app/format.ts";
import { useState } from "preact/hooks";
import { text } from "../../../app/texts.ts";
import { Checkbox, SelectField } from "../../../ui/controls.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { sendFile } from "../../../ui/console/send-file.ts";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { useQuery } from "../../../ui/console/query.ts";
import { mayUse } from "../../../ui/console/session.ts";
import { Panel } from "../../../ui/panel.tsx";
import { MovingPage } from "../moving/moving-page.tsx";
import { PRODUCTS } from "../product-data.ts";
import { Done, Trial, encodingNames } from "./import-report.tsx";
import { toExampleCsv } from "./example-csv.ts";

function EncodingField(props: {
  value: Encoding | "";
  disabled: boolean;
  onChange: (encoding: Encoding | "") => void;
}): JSX.Element {
  return (
    <SelectField<Encoding | "">
      label={text("shop.transfer.encoding")}
      {...props}
      choices={[
        { value: "", label: text("shop.transfer.encoding.auto") },
        ...(Object.keys(encodingNames) as Encoding[]).map((value) => ({
          value,
          label: encodingNames[value],
        })),
      ]}
    />
  );
}

function Example(): JSX.Element {
  return (
    <>
      <div class="button-row">
        <a
          class="button"
          download="products-example.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(toExampleCsv(csvSeparator()))}`}
        >
          {text("shop.transfer.example")}
        </a>
      </div>
      <p class="field-hint">{text("shop.transfer.amounts")}</p>
    </>
  );
}

interface ImportChoices {
  readonly dryRun: boolean;
  readonly partial: boolean;
  readonly categories: boolean;
  readonly as: Encoding | "";
}

function FileChoice(props: {
  file: File | undefined;
  disabled: boolean;
  withCategories: boolean;
  encoding: Encoding | "";
  onFile: (file: File) => void;
  onCategories: (on: boolean) => void;
  onEncoding: (encoding: Encoding | "") => void;
}): JSX.Element {
  const { file, disabled, withCategories, encoding, onFile, onCategories, onEncoding } = props;
  return (
    <>
      <FileDrop
        label={file?.name ?? text("shop.transfer.drop")}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        disabled={disabled}
        onFiles={([chosen]) => chosen && onFile(chosen)}
      >
        {text(file === undefined ? "shop.transfer.drop.hint" : "shop.transfer.drop.other")}
      </FileDrop>
      <Checkbox
        label={text("shop.transfer.categories")}
        checked={withCategories}
        disabled={disabled}
        onChange={onCategories}
      />
      <EncodingField value={encoding} disabled={disabled} onChange={onEncoding} />
    </>
  );
}

/** The import of one file: its choices, the trial and what became of it. */
function useImport() {
  const [file, setFile] = useState<File | undefined>();
  const [withCategories, setWithCategories] = useState(true);
  const [encoding, setEncoding] = useState<Encoding | "">("");
  const [report, setReport] = useState<Report | undefined>();
  const [share, setShare] = useState(0);
  const task = useTask();
  function send(chosen: File, options: ImportChoices): void {
    const { dryRun, partial, categories, as } = options;
    const query = new URLSearchParams({
      dryRun: String(dryRun),
      partial: String(partial),
      createCategories: String(categories),
    });
    setShare(0);
    void task.run(async () => {
      const path = `${PRODUCTS}/import?${query.toString()}`;
      const type = as === "" ? "text/csv" : `text/csv; charset=${as}`;
      const sent = { method: "POST", body: chosen, type, onProgress: setShare } as const;
      setReport(await sendFile<Report>(path, sent));
    });
  }
  function choose(
    chosen: File,
    { categories = withCategories, as = encoding }: Partial<ImportChoices> = {},
  ): void {
    setFile(chosen);
    setReport(undefined);
    send(chosen, { dryRun: true, partial: false, categories, as });
  }
  const isDone = report?.dryRun === false;
  return {
    file,
    report,
    share,
    task,
    isDone,
    withCategories,
    encoding,
    choose,
    store: (partial: boolean) =>
      file && send(file, { dryRun: false, partial, categories: withCategories, as: encoding }),
    chooseCategories: (on: boolean) => {
      setWithCategories(on);
      if (file !== undefined && !isDone) choose(file, { categories: on });
    },
    chooseEncoding: (as: Encoding | "") => {
      setEncoding(as);
      if (file !== undefined && !isDone) choose(file, { as });
    },
  };
}

function ImportPanel(): JSX.Element {
  const { file, report, share, task, isDone, choose, store, ...choices } = useImport();
  return (
    <Panel title={text("shop.transfer.title")} hint={text("shop.transfer.hint")}>
      <Example />
      <FileChoice
        file={file}
        disabled={task.busy}
        withCategories={choices.withCategories}
        encoding={choices.encoding}
        onFile={choose}
        onCategories={choices.chooseCategories}
        onEncoding={choices.chooseEncoding}
      />
      {task.busy && (
        <div role="status">
          <progress value={share < 1 ? share : undefined} max={1} aria-label={text("shop.transfer.busy")} />
          <p class="field-hint">{text("shop.transfer.busy")}</p>
        </div>
      )}
      {task.message !== undefined && file !== undefined && (
        <ErrorNote message={task.message} onRetry={() => choose(file)} />
      )}
      {report && !isDone && file !== undefined && <Trial report={report} busy={task.busy} onImport={store} />}
      {report && isDone && <Done report={report} />}
    </Panel>
  );
}

/** Leads to imports of files that other shops wrote. */
function MovingPanel(): JSX.Element {
  return (
    <Panel title={text("shop.moving.title")} hint={text("shop.moving.hint")}>
      <div class="button-row">
        <a class="button" href="/admin/products/import?from=shop">
          {text("shop.moving.open")}
        </a>
      </div>
    </Panel>
  );
}

/** The section with "import" in its address. */
export function ImportPage(): JSX.Element {
  return useQuery().get("from") === "" ? <OwnFilePage /> : <MovingPage />;
}

function OwnFilePage(): JSX.Element {
  const path = `${PRODUCTS}/export?format=`;
  return (
    <>
      <Crumbs to="/admin/products" label="shop.nav.products" />
      <PageHead title={text("shop.transfer.title")} />
      <div class="stack beside-form">
        <MovingPanel />
        {mayUse("products:write") && <ImportPanel />}
        <Panel title={text("shop.transfer.export")} hint={text("shop.transfer.export.hint")}>
          <div class="button-row">
            <a class="button" href={`${path}csv&prices=decimal&separator=${csvSeparator()}`} download>
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
