/** Report of a dry run or an import: file format, new and changed products, and errors by line. */
import type { JSX } from "preact";
import type { Encoding } from "../../../../kit/files/decode-text.ts";
import type { ProductImportReport as Report } from "../../../../shop/transfer/answer-schema.ts";
import { type TextName, countText, text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { toFaultWords } from "../../../ui/forms/fault-words.ts";

type LineError = Report["errors"][number];

const separatorNames = {
  ",": "shop.transfer.comma",
  ";": "shop.transfer.semicolon",
  "\t": "shop.transfer.tab",
  "|": "shop.transfer.pipe",
} as const satisfies Readonly<Record<NonNullable<Report["read"]>["separator"], TextName>>;

/** Encodings by the names that spreadsheets show; "" is found out. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252",
  "windows-1250": "Windows-1250",
  "windows-1251": "Windows-1251",
  macintosh: "Mac Roman",
  gb18030: "GBK / GB 18030",
  big5: "Big5",
  shift_jis: "Shift JIS",
};
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

/** How the file was read, by which people see a wrong encoding. */
export function ReadAs({ read }: { read: Report["read"] }): JSX.Element | null {
  if (read === undefined) return null;
  const { encoding, separator, sample } = read;
  return (
    <p class="field-hint">
      {text("shop.transfer.readAs", {
        encoding: encodingNames[encoding],
        separator: text(separatorNames[separator]),
      })}{" "}
      {sample !== undefined && text("shop.transfer.sample", { sample })}
    </p>
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

/** Result of a dry run, with the button that starts the import. */
export function Trial(props: {
  report: Report;
  busy: boolean;
  onImport: (partial: boolean) => void;
}): JSX.Element {
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
          <ReadAs read={report.read} />
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

/** Result of an import. */
export function Done({ report }: { report: Report }): JSX.Element {
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
