/** The trial of an import: what would happen, what is wrong, and which column is what. */
import type { JSX } from "preact";
import type { ImportFaultView, ImportView } from "../../../../shop/imports/answer-schema.ts";
import { useState } from "preact/hooks";
import { countText, text } from "../../../app/texts.ts";
import { Button, Checkbox, Select, SelectField } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import type { Polled } from "../../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import { useQuery } from "../../../ui/console/query.ts";
import { toFaultWords } from "../../../ui/forms/fault-words.ts";
import { Panel } from "../../../ui/panel.tsx";
import { ReadAs } from "../transfer/import-report.tsx";
import { IMPORTS, fieldNames, sendMove, sourceNames } from "./import-data.ts";

type Options = ImportView["options"];
type FieldName = keyof typeof fieldNames;

const outcomeNames = {
  create: "shop.moving.outcome.create",
  change: "shop.moving.outcome.change",
  skip: "shop.moving.outcome.skip",
} as const;

function toWords({ column = "", code, message }: ImportFaultView): string {
  return toFaultWords({ pointer: `/${column}`, code, message });
}

/** Faults by line and column. */
export function FaultTable({ id, phase }: { id: string; phase: "trial" | "run" }): JSX.Element {
  const pages = usePages<ImportFaultView>(`${IMPORTS}/${id}/faults?phase=${phase}`);
  return (
    <Panel title={text("shop.transfer.errors")}>
      <PagedRows pages={pages} none="shop.moving.faults.none">
        <Table
          plain
          caption={text("shop.transfer.errors")}
          rows={pages.items}
          keyOf={({ line, column, message }) => `${line} ${column ?? ""} ${message}`}
          columns={[
            { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
            { key: "title", label: text("shop.moving.column.product"), cell: ({ title }) => title },
            { key: "column", label: text("shop.transfer.column"), cell: ({ column }) => column },
            { key: "message", label: text("shop.transfer.wrong"), cell: toWords },
          ]}
        />
      </PagedRows>
    </Panel>
  );
}

function Columns(props: {
  columns: ImportView["columns"];
  mapping: Options["mapping"];
  onChange: (mapping: Options["mapping"]) => void;
}): JSX.Element {
  const { columns, mapping, onChange } = props;
  const choices = (Object.keys(fieldNames) as FieldName[]).map((value) => ({
    value: value as string,
    label: text(fieldNames[value]),
  }));
  return (
    <details>
      <summary>{countText("shop.moving.columns", columns.length)}</summary>
      <Table
        caption={countText("shop.moving.columns", columns.length)}
        rows={columns}
        keyOf={({ header }) => header}
        columns={[
          { key: "header", label: text("shop.moving.column.header"), cell: ({ header }) => header },
          { key: "example", label: text("shop.moving.column.example"), cell: ({ example }) => example },
          {
            key: "field",
            label: text("shop.moving.column.field"),
            cell: ({ header, field = "" }) => {
              const value = mapping[header] ?? field;
              const isListed = value in fieldNames;
              return (
                <Select
                  label={text("shop.moving.column.of", { header })}
                  value={value}
                  choices={isListed ? choices : [...choices, { value, label: value }]}
                  onChange={(chosen) => onChange({ ...mapping, [header]: chosen })}
                />
              );
            },
          },
        ]}
      />
    </details>
  );
}

function Preview({ preview }: Pick<ImportView, "preview">): JSX.Element {
  return (
    <Table
      plain
      caption={text("shop.moving.preview")}
      rows={preview}
      keyOf={({ line }) => String(line)}
      columns={[
        { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
        { key: "title", label: text("shop.moving.column.product"), cell: ({ title }) => title },
        { key: "price", label: text("shop.moving.column.price"), cell: ({ price }) => price },
        {
          key: "variants",
          label: text("shop.moving.column.variants"),
          number: true,
          cell: ({ variants }) => variants,
        },
        {
          key: "pictures",
          label: text("shop.moving.column.pictures"),
          number: true,
          cell: ({ pictures }) => pictures,
        },
        {
          key: "outcome",
          label: text("shop.moving.column.outcome"),
          cell: ({ outcome }) => text(outcomeNames[outcome]),
        },
      ]}
    />
  );
}

function Summary({ one }: { one: ImportView }): JSX.Element {
  const { trial, source, encoding, separator, sample } = one;
  const name = source === undefined ? undefined : sourceNames[source];
  return (
    <div class={`admin-note ${trial.failed === 0 ? "is-good" : "is-warn"}`} role="status">
      <div class="stack-small">
        <strong>{text(trial.failed === 0 ? "shop.transfer.trial.good" : "shop.transfer.trial.bad")}</strong>
        <p>
          {name !== undefined && text("shop.moving.source", { name })}{" "}
          {countText("shop.transfer.created", trial.created)}{" "}
          {trial.changed > 0 && countText("shop.transfer.updated", trial.changed)}{" "}
          {trial.skipped > 0 && countText("shop.moving.skipped", trial.skipped)}{" "}
          {trial.pictures > 0 && countText("shop.moving.pictures", trial.pictures)}{" "}
          {trial.failed > 0 && countText("shop.moving.failed", trial.failed)}
        </p>
        {encoding !== undefined && separator !== undefined && (
          <ReadAs read={{ encoding, separator, sample }} />
        )}
      </div>
    </div>
  );
}

function OptionFields(props: {
  options: Options;
  onChange: (options: Partial<Options>) => void;
}): JSX.Element {
  const { options, onChange } = props;
  return (
    <>
      <SelectField
        label={text("shop.moving.status")}
        value={options.status}
        choices={[
          { value: "file", label: text("shop.moving.status.file") },
          { value: "draft", label: text("shop.moving.status.draft") },
        ]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField<"" | "." | ",">
        label={text("shop.moving.decimal")}
        hint={text("shop.moving.decimal.hint")}
        value={options.decimalMark ?? ""}
        choices={[
          { value: "", label: text("shop.moving.decimal.ask") },
          { value: ".", label: text("shop.moving.decimal.point") },
          { value: ",", label: text("shop.moving.decimal.comma") },
        ]}
        onChange={(mark) => mark !== "" && onChange({ decimalMark: mark })}
      />
      <Checkbox
        label={text("shop.moving.update")}
        checked={options.updateExisting}
        onChange={(updateExisting) => onChange({ updateExisting })}
      />
      <Checkbox
        label={text("shop.transfer.categories")}
        checked={options.createCategories}
        onChange={(createCategories) => onChange({ createCategories })}
      />
      <Checkbox
        label={text("shop.moving.redirects")}
        checked={options.redirects}
        onChange={(redirects) => onChange({ redirects })}
      />
    </>
  );
}

interface Shown {
  readonly one: ImportView;
  readonly refresh: Polled<ImportView>["refresh"];
}

function Checked({ one, refresh }: Shown): JSX.Element {
  const [options, setOptions] = useState<Options>(one.options);
  const query = useQuery();
  const task = useTask();
  const good = one.trial.created + one.trial.changed;
  const isChanged = JSON.stringify(options) !== JSON.stringify(one.options);
  const run = (work: () => Promise<unknown>): void => void task.run(() => work().then(refresh));
  const isFailed = one.state === "failed";
  return (
    <>
      <Panel title={one.fileName}>
        {isFailed ? <ErrorNote message={one.failure ?? ""} /> : <Summary one={one} />}
        {mayUse("products:write") && (
          <>
            {!isFailed && (
              <OptionFields options={options} onChange={(more) => setOptions({ ...options, ...more })} />
            )}
            {one.columns.length > 0 && (
              <Columns
                columns={one.columns}
                mapping={options.mapping}
                onChange={(mapping) => setOptions({ ...options, mapping })}
              />
            )}
            {task.message !== undefined && <ErrorNote message={task.message} />}
            <div class="button-row">
              {good > 0 && !isChanged && !isFailed && (
                <Button
                  kind="primary"
                  disabled={task.busy}
                  onClick={() => run(() => sendMove(one.id, "start"))}
                >
                  {countText(
                    one.trial.failed > 0 ? "shop.transfer.import.good" : "shop.transfer.import",
                    good,
                  )}
                </Button>
              )}
              {isChanged && (
                <Button
                  kind="primary"
                  disabled={task.busy}
                  onClick={() => run(() => sendMove(one.id, "check", options))}
                >
                  {text("shop.moving.again")}
                </Button>
              )}
              <Button
                disabled={task.busy}
                onClick={() =>
                  void task.run(async () => {
                    await adminRequest(`${IMPORTS}/${one.id}`, { method: "DELETE" });
                    query.set({ import: "" });
                  })
                }
              >
                {text("shop.moving.discard")}
              </Button>
            </div>
          </>
        )}
      </Panel>
      {one.trial.failed > 0 && <FaultTable id={one.id} phase="trial" key={JSON.stringify(one.options)} />}
      {one.preview.length > 0 && (
        <Panel title={text("shop.moving.preview")} hint={text("shop.moving.preview.hint")}>
          <Preview preview={one.preview} />
        </Panel>
      )}
    </>
  );
}

/** An import before its start. */
export function TrialPanel({ one, refresh }: Shown): JSX.Element {
  if (one.state !== "checking" && one.state !== "receiving")
    return <Checked one={one} refresh={refresh} key={JSON.stringify(one.options)} />;
  const done = one.trial.created + one.trial.changed + one.trial.failed;
  return (
    <Panel title={one.fileName}>
      <div role="status">
        <progress aria-label={text("shop.moving.state.checking")} />
        <p class="field-hint">
          {text(one.state === "receiving" ? "shop.moving.state.receiving" : "shop.moving.state.checking")}{" "}
          {done > 0 && countText("shop.moving.read", done)}
        </p>
      </div>
    </Panel>
  );
}
