/** The trial of an import: what would happen, what is wrong, and which column is what. */
import type { ComponentChildren, JSX } from "preact";
import type { ImportFaultView, ImportView } from "../../../../shop/imports/answer-schema.ts";
import { useState } from "preact/hooks";
import { type TextName, countText, text } from "../../../app/texts.ts";
import { Button, Checkbox, Select, SelectField } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import type { Polled } from "../../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { Badge } from "../../../ui/console/pieces.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { useQuery } from "../../../ui/console/query.ts";
import { toFaultWords } from "../../../ui/forms/fault-words.ts";
import { Panel } from "../../../ui/panel.tsx";
import { ReadAs } from "../transfer/import-report.tsx";
import { listTimeZones } from "../../ui/choices.ts";
import { fieldsOf } from "./fields.ts";
import { IMPORTS, mayImport, recordNames, sendMove, sourceNames, toSentence } from "./import-data.ts";

type Options = ImportView["options"];
const previewHints = {
  products: "shop.moving.preview.hint",
  customers: "shop.moving.preview.customers.hint",
  coupons: "shop.moving.preview.coupons.hint",
  keys: "shop.moving.preview.keys.hint",
  giftCards: "shop.moving.preview.giftCards.hint",
  reviews: "shop.moving.preview.reviews.hint",
} as const satisfies Record<ImportView["kind"], TextName>;
type Kind = ImportView["kind"];

const outcomeNames = {
  create: "shop.moving.outcome.create",
  change: "shop.moving.outcome.change",
  skip: "shop.moving.outcome.skip",
} as const;

function toWords({ column = "", code, message, text: said }: ImportFaultView): string {
  // Of an import of the previous release, which kept no text.
  if (said === undefined) return toFaultWords({ pointer: `/${column}`, code, message });
  const sentence = toSentence(message, said);
  // "Code is required"
  return /^\p{Ll}/u.test(sentence) ? `${column} ${sentence}`.trim() : sentence;
}

/** Faults by line and column, and what cannot be carried over. */
export function FaultTable(props: { one: ImportView; phase: "trial" | "run" }): JSX.Element {
  const { one, phase } = props;
  const pages = usePages<ImportFaultView>(`${IMPORTS}/${one.id}/faults?phase=${phase}`);
  const title = text(
    one[phase === "trial" ? "trial" : "counts"].noted > 0 ? "shop.moving.faults" : "shop.transfer.errors",
  );
  return (
    <Panel title={title}>
      <PagedRows pages={pages} none="shop.moving.faults.none">
        <Table
          plain
          class="import-rows"
          caption={title}
          rows={pages.items}
          keyOf={({ line, column, message }) => `${line} ${column ?? ""} ${message}`}
          columns={[
            { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
            {
              key: "title",
              label: text(recordNames[one.kind]),
              cell: ({ title: name, column }) => (
                <>
                  {name}
                  {column !== undefined && (
                    <>
                      {name !== undefined && name !== "" && <br />}
                      <span class="field-hint">{column}</span>
                    </>
                  )}
                </>
              ),
            },
            {
              key: "message",
              label: text("shop.moving.column.text"),
              cell: (fault) => (
                <>
                  <Badge kind={fault.level === "note" ? "warn" : "bad"}>
                    {text(`shop.moving.level.${fault.level}`)}
                  </Badge>{" "}
                  {toWords(fault)}
                </>
              ),
            },
          ]}
        />
      </PagedRows>
    </Panel>
  );
}

function Columns(props: {
  kind: Kind;
  columns: ImportView["columns"];
  mapping: Options["mapping"];
  onChange: (mapping: Options["mapping"]) => void;
}): JSX.Element {
  const { kind, columns, mapping, onChange } = props;
  const fields = fieldsOf[kind];
  const choices = Object.entries(fields).map(([value, name]) => ({ value, label: text(name) }));
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
              const isListed = Object.hasOwn(fields, value);
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

const productColumns: readonly Column<ImportView["preview"][number]>[] = [
  { key: "price", label: "shop.moving.column.price", cell: ({ price }) => price },
  { key: "variants", label: "shop.moving.column.variants", number: true, cell: ({ variants }) => variants },
  { key: "pictures", label: "shop.moving.column.pictures", number: true, cell: ({ pictures }) => pictures },
];

function listColumns(kind: Kind): readonly Column<ImportView["preview"][number]>[] {
  if (kind === "products") return productColumns;
  return [{ key: "detail", label: `shop.moving.column.detail.${kind}`, cell: ({ detail }) => detail }];
}

function Preview({ kind, preview }: Pick<ImportView, "kind" | "preview">): JSX.Element {
  return (
    <Table
      plain
      class="import-rows"
      caption={text("shop.moving.preview", { kind })}
      rows={preview}
      keyOf={({ line }) => String(line)}
      columns={[
        { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
        { key: "title", label: text(recordNames[kind]), cell: ({ title }) => title },
        ...listColumns(kind).map((column) => ({ ...column, label: text(column.label) })),
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
  const { kind, trial, source, encoding, separator, sample } = one;
  const name = source === undefined ? undefined : sourceNames[source];
  return (
    <div class={`admin-note ${trial.failed === 0 ? "is-good" : "is-warn"}`} role="status">
      <div class="stack-small">
        <strong>{text(trial.failed === 0 ? "shop.transfer.trial.good" : "shop.transfer.trial.bad")}</strong>
        <p>
          {name !== undefined && text("shop.moving.source", { name })}{" "}
          {(trial.created > 0 || trial.changed === 0) &&
            text("shop.moving.created", { kind, count: trial.created })}{" "}
          {trial.changed > 0 && text("shop.moving.updated", { kind, count: trial.changed })}{" "}
          {trial.skipped > 0 && countText("shop.moving.skipped", trial.skipped)}{" "}
          {trial.pictures > 0 && countText("shop.moving.pictures", trial.pictures)}{" "}
          {trial.noted > 0 && countText("shop.moving.noted", trial.noted)}{" "}
          {trial.failed > 0 && text("shop.moving.failed", { kind, count: trial.failed })}
        </p>
        {encoding !== undefined && separator !== undefined && (
          <ReadAs read={{ encoding, separator, sample }} />
        )}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly options: Options;
  readonly onChange: (options: Partial<Options>) => void;
}

function ProductOptions({ options, onChange }: OptionProps): JSX.Element {
  return (
    <>
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

function DateOptions({ options, onChange }: OptionProps): JSX.Element {
  return (
    <>
      <SelectField<"" | "dmy" | "mdy">
        label={text("shop.moving.dates")}
        hint={text("shop.moving.dates.hint")}
        value={options.dateOrder ?? ""}
        choices={[
          { value: "", label: text("shop.moving.dates.ask") },
          { value: "dmy", label: text("shop.moving.dates.dmy") },
          { value: "mdy", label: text("shop.moving.dates.mdy") },
        ]}
        onChange={(dateOrder) => dateOrder !== "" && onChange({ dateOrder })}
      />
      <SelectField
        label={text("shop.moving.zone")}
        value={options.timeZone ?? ""}
        choices={[{ value: "", label: text("shop.moving.zone.shop") }, ...listTimeZones()]}
        onChange={(timeZone) => timeZone !== "" && onChange({ timeZone })}
      />
    </>
  );
}

function OptionFields({ kind, options, onChange }: OptionProps & { readonly kind: Kind }): JSX.Element {
  return (
    <>
      {(kind === "products" || kind === "reviews") && (
        <SelectField
          label={text("shop.moving.status", { kind })}
          value={options.status}
          choices={[
            { value: "file", label: text("shop.moving.status.file") },
            { value: "draft", label: text("shop.moving.status.draft", { kind }) },
          ]}
          onChange={(status) => onChange({ status })}
        />
      )}
      {(kind === "products" || kind === "coupons" || kind === "giftCards") && (
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
      )}
      {kind !== "products" && <DateOptions options={options} onChange={onChange} />}
      {(kind === "products" || kind === "customers" || kind === "coupons") && (
        <Checkbox
          label={text("shop.moving.update", { kind })}
          checked={options.updateExisting}
          onChange={(updateExisting) => onChange({ updateExisting })}
        />
      )}
      {kind === "products" && <ProductOptions options={options} onChange={onChange} />}
    </>
  );
}

interface Column<T> {
  readonly key: string;
  readonly label: TextName;
  readonly number?: boolean;
  readonly cell: (one: T) => ComponentChildren;
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
        {isFailed ? <ErrorNote message={toSentence(one.failure, one.failureText)} /> : <Summary one={one} />}
        {mayImport(one.kind) && (
          <>
            {!isFailed && (
              <OptionFields
                kind={one.kind}
                options={options}
                onChange={(more) => setOptions({ ...options, ...more })}
              />
            )}
            {one.columns.length > 0 && (
              <Columns
                kind={one.kind}
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
                  {text(one.trial.failed > 0 ? "shop.moving.start.good" : "shop.moving.start", {
                    kind: one.kind,
                    count: good,
                  })}
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
      {one.trial.failed + one.trial.noted > 0 && (
        <FaultTable one={one} phase="trial" key={JSON.stringify(one.options)} />
      )}
      {one.preview.length > 0 && (
        <Panel title={text("shop.moving.preview", { kind: one.kind })} hint={text(previewHints[one.kind])}>
          <Preview kind={one.kind} preview={one.preview} />
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
          {done > 0 && text("shop.moving.read", { kind: one.kind, count: done })}
        </p>
      </div>
    </Panel>
  );
}
