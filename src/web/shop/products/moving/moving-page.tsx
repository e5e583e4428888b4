/** Moving in from another shop: a new import, and the history of earlier ones. */
import type { JSX } from "preact";
import type { UploadView } from "../../../../shop/files/answer-schema.ts";
import type { ImportView } from "../../../../shop/imports/answer-schema.ts";
import { useRef, useState } from "preact/hooks";
import { toBytes, toNumber } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { Button, SelectField } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../../ui/console/cursor-page.tsx";
import { Badge, Crumbs, Moment, PageHead } from "../../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { useQuery } from "../../../ui/console/query.ts";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { sendParts } from "../delivery/file-upload.ts";
import {
  IMPORTS,
  type ImportKind,
  kindNames,
  mayImport,
  sendMove,
  sourceNames,
  stateNames,
  toImportHref,
} from "./import-data.ts";
import { ImportProgress } from "./one-import.tsx";

interface Files {
  readonly kind: ImportKind;
  readonly table: File;
  readonly archive: File | undefined;
}

/** Announces the files, sends them, and lets the trial begin; resolves with the import. */
async function sendFiles(
  { kind, table, archive }: Files,
  options: { readonly signal: AbortSignal; readonly onShare: (share: number) => void },
): Promise<ImportView> {
  const { signal, onShare } = options;
  const toBody = ({ name, size }: File): object => ({ fileName: name, sizeBytes: size });
  const body = { kind, ...toBody(table), ...(archive && { archive: toBody(archive) }) };
  const created = await adminRequest<ImportView>(IMPORTS, { method: "POST", body });
  const all = table.size + (archive?.size ?? 0);
  let before = 0;
  const parts = [
    { id: created.uploadId, file: table },
    ...(archive === undefined ? [] : [{ id: created.archiveUploadId ?? "", file: archive }]),
  ];
  for (const { id, file } of parts) {
    const begun = await adminRequest<UploadView>(`/api/admin/uploads/${id}`);
    const sent = before;
    await sendParts(begun, { file, signal, onProgress: (bytes) => onShare((sent + bytes) / all) });
    before += file.size;
  }
  return sendMove(created.id, "check", {});
}

const kinds = Object.keys(kindNames) as ImportKind[];

function toKind(name: string): ImportKind {
  return kinds.find((kind) => kind === name) ?? "products";
}

function NewImport(): JSX.Element {
  const [table, setTable] = useState<File | undefined>();
  const [archive, setArchive] = useState<File | undefined>();
  const [share, setShare] = useState(0);
  const query = useQuery();
  const kind = toKind(query.get("kind"));
  const task = useTask();
  const abort = useRef<AbortController | undefined>(undefined);
  function send(files: Files): void {
    const controller = new AbortController();
    abort.current = controller;
    setShare(0);
    void task.run(async () => {
      const { id } = await sendFiles(files, { signal: controller.signal, onShare: setShare });
      query.set({ import: id, kind: "" }, { push: true });
    });
  }
  const describe = (file: File): string => `${file.name} (${toBytes(file.size)})`;
  return (
    <Panel title={text("shop.moving.new")} hint={text("shop.moving.new.hint")}>
      <SelectField<ImportKind>
        label={text("shop.moving.kind")}
        hint={text(`shop.moving.kind.${kind}.hint`)}
        value={kind}
        disabled={task.busy}
        choices={kinds
          .filter((one) => mayImport(one))
          .map((value) => ({ value, label: text(kindNames[value]) }))}
        onChange={(chosen) => query.set({ kind: chosen })}
      />
      <FileDrop
        label={table === undefined ? text("shop.moving.file") : describe(table)}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        disabled={task.busy}
        onFiles={([file]) => file && setTable(file)}
      >
        {text("shop.moving.file.hint")}
      </FileDrop>
      {kind === "products" && (
        <FileDrop
          label={archive === undefined ? text("shop.moving.archive") : describe(archive)}
          accept=".zip,application/zip"
          disabled={task.busy}
          onFiles={([file]) => file && setArchive(file)}
        >
          {text("shop.moving.archive.hint")}
        </FileDrop>
      )}
      {task.busy && (
        <div role="status">
          <progress value={share < 1 ? share : undefined} max={1} aria-label={text("shop.moving.sending")} />
          <p class="field-hint">{text("shop.moving.sending")}</p>
        </div>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <div class="button-row">
        <Button
          kind="primary"
          disabled={task.busy || table === undefined}
          onClick={() => table && send({ kind, table, archive: kind === "products" ? archive : undefined })}
        >
          {text("shop.moving.check")}
        </Button>
        {task.busy && <Button onClick={() => abort.current?.abort()}>{text("control.cancel")}</Button>}
      </div>
    </Panel>
  );
}

function toTone({ state, counts }: ImportView): "idle" | "good" | "warn" | "bad" {
  if (state === "failed") return "bad";
  if (state === "done") return counts.failed + counts.picturesFailed > 0 ? "warn" : "good";
  return "idle";
}

function History(): JSX.Element {
  const page = useCursorPage<ImportView>(IMPORTS, {});
  return (
    <Panel title={text("shop.moving.history")}>
      <CursorList page={page} empty={<p>{text("shop.moving.history.none")}</p>}>
        <Table
          caption={text("shop.moving.history")}
          rows={page.items}
          keyOf={({ id }) => id}
          columns={[
            {
              key: "file",
              label: text("shop.moving.column.file"),
              cell: ({ id, fileName, kind, source, createdAt }) => (
                <>
                  <a href={toImportHref(id)}>{fileName}</a>
                  <br />
                  <span class="field-hint">
                    {text(kindNames[kind])}
                    {source !== undefined && ` · ${sourceNames[source] ?? "CSV"}`} · <Moment at={createdAt} />
                  </span>
                </>
              ),
            },
            {
              key: "state",
              label: text("shop.moving.column.state"),
              cell: (one) => <Badge kind={toTone(one)}>{text(stateNames[one.state])}</Badge>,
            },
            {
              key: "count",
              label: text("shop.moving.column.count"),
              number: true,
              cell: ({ counts }) => toNumber(counts.created + counts.changed),
            },
          ]}
        />
      </CursorList>
    </Panel>
  );
}

/** The import page with `from=shop` in its address. */
export function MovingPage(): JSX.Element {
  const id = useQuery().get("import");
  return (
    <>
      <Crumbs to="/admin/products" label="shop.nav.products" />
      <PageHead title={text("shop.moving.title")} />
      <div class="stack beside-form">
        {id === "" ? (
          <>
            {mayUse("products:write") && <NewImport />}
            <History />
          </>
        ) : (
          <>
            <p>
              <a href="/admin/products/import?from=shop">{text("shop.moving.back")}</a>
            </p>
            <ImportProgress id={id} key={id} />
          </>
        )}
      </div>
    </>
  );
}
