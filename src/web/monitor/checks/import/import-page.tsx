/** Checks of Uptime Kuma, Gatus, or healthchecks.io, and servers of Beszel: a file is chosen, its entries are shown with what they become, then they are added. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type {
  ImportEntryView,
  ImportInput,
  ImportResult,
} from "../../../../monitor/checks/import/view-schema.ts";
import { countText, text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { ErrorNote, TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { Note } from "../../../ui/console/note.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { lazy } from "../../../pages/lazy.tsx";
import { CHECKS, toCheckPage } from "../check-data.ts";
import { Remedy } from "../../remedy.tsx";
import { kindText } from "../../pieces/check-words.ts";
import { type FileContent, readImportFile } from "./read-file.ts";

const BeszelImport = lazy(async () => (await import("./beszel-import.tsx")).BeszelImport);

function Becomes({ entry: { outcome, check } }: { entry: ImportEntryView }): JSX.Element {
  if (check === undefined)
    return (
      <span class="field-hint">
        {text(outcome === "group" ? "admin.checks.import.group" : "admin.checks.import.left-out")}
      </span>
    );
  const { id, name, kind, target, group, tags, paused } = check;
  const words = [group, ...tags, paused ? text("admin.checks.import.paused") : ""].filter(
    (word) => word !== "",
  );
  return (
    <div class="stack-small">
      <span class="break">{id === undefined ? target : <a href={toCheckPage(id)}>{name}</a>}</span>
      <span class="field-hint break">
        {kindText(kind)}
        {words.map((word) => ` · ${word}`)}
      </span>
    </div>
  );
}

function Notes({ entry: { notes, check } }: { entry: ImportEntryView }): JSX.Element | null {
  const all = notes.map(({ code, value = "" }) => text(`admin.checks.import.note.${code}`, { value }));
  if (check?.keepsToken === true) all.unshift(text("admin.checks.import.keeps"));
  if (all.length === 0) return null;
  return (
    <ul class="import-notes">
      {all.map((words) => (
        <li class="break" key={words}>
          {words}
        </li>
      ))}
    </ul>
  );
}

function Entries({ entries }: { entries: readonly ImportEntryView[] }): JSX.Element {
  return (
    <Table
      caption={text("admin.checks.import.entries")}
      rows={entries.map((entry, index) => ({ entry, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          key: "entry",
          label: text("admin.checks.import.entry"),
          cell: ({ entry }) => (
            <div class="stack-small">
              <strong class="break">{entry.name === "" ? "–" : entry.name}</strong>
              <span class="field-hint">{entry.type}</span>
            </div>
          ),
        },
        {
          key: "becomes",
          label: text("admin.checks.import.becomes"),
          cell: ({ entry }) => <Becomes entry={entry} />,
        },
        {
          key: "notes",
          label: text("admin.checks.import.notes"),
          cell: ({ entry }) => <Notes entry={entry} />,
        },
      ]}
    />
  );
}

function Outcome(props: {
  result: ImportResult;
  busy: boolean;
  onImport: () => void;
  onAllowed: () => void;
}): JSX.Element {
  const { result, busy, onImport, onAllowed } = props;
  const { trial, checks, entries, leftOut, setting } = result;
  const others = entries.filter(({ outcome }) => outcome === "left_out").length;
  const title = trial
    ? text("admin.checks.import.counts", { checks, others })
    : text("admin.checks.import.done", { count: checks });
  return (
    <section class="stack" aria-label={text("admin.checks.import.entries")}>
      <div class={`admin-note ${others === 0 ? "is-good" : "is-warn"}`} role="status">
        <div class="stack-small">
          <strong>{checks === 0 && trial ? text("admin.checks.import.nothing") : title}</strong>
          {leftOut.length > 0 && (
            <span class="break">{text("admin.checks.import.parts", { names: leftOut.join(", ") })}</span>
          )}
        </div>
      </div>
      {setting !== undefined && (
        <Note kind="warn">
          {text("admin.checks.import.private")}
          <Remedy setting={setting} onDone={onAllowed} />
        </Note>
      )}
      <div class="button-row">
        {trial && checks > 0 && (
          <Button kind="primary" disabled={busy} onClick={onImport}>
            {countText("admin.checks.import.add", checks)}
          </Button>
        )}
        {!trial && (
          <a class="button primary" href="/admin/checks">
            {text("admin.checks.import.look")}
          </a>
        )}
      </div>
      <Entries entries={entries} />
    </section>
  );
}

/** The section with "import" in its address. */
export function ImportPage(): JSX.Element {
  const [file, setFile] = useState<File>();
  const [content, setContent] = useState<FileContent>();
  const [result, setResult] = useState<ImportResult>();
  const task = useTask();
  async function send(
    { input }: { input: Pick<ImportInput, "format" | "text"> },
    trial: boolean,
  ): Promise<void> {
    const body: ImportInput = { ...input, trial };
    setResult(await adminRequest<ImportResult>(`${CHECKS}/import`, { method: "POST", body }));
  }
  function choose(chosen: File): void {
    setFile(chosen);
    setContent(undefined);
    setResult(undefined);
    void task.run(async () => {
      const read = await readImportFile(chosen);
      setContent(read);
      if ("input" in read) await send(read, true);
    });
  }
  const isRead = content !== undefined && "input" in content;
  const sendAgain = (trial: boolean): void => void (isRead && task.run(() => send(content, trial)));
  return (
    <>
      <Crumbs to="/admin/checks" label="admin.nav.checks" />
      <PageHead title={text("admin.checks.import")} hint={text("admin.checks.import.hint")} />
      <div class="stack">
        <FileDrop
          label={file?.name ?? text("admin.checks.import.drop")}
          accept=".json,.yaml,.yml,.db,.sqlite,application/json,application/yaml"
          disabled={task.busy}
          onFiles={([chosen]) => chosen && choose(chosen)}
        >
          {text(file === undefined ? "admin.checks.import.drop.hint" : "admin.checks.import.drop.other")}
        </FileDrop>
        {task.busy && (
          <p class="field-hint" role="status">
            {text("admin.checks.import.busy")}
          </p>
        )}
        {content && "fault" in content && (
          <ErrorNote message={text(`admin.checks.import.fault.${content.fault}`)} />
        )}
        {content && "hasLog" in content && content.hasLog && (
          <div class="admin-note is-warn" role="status">
            {text("admin.checks.import.log")}
          </div>
        )}
        {file && <TaskNote task={task} pointers={[]} onRetry={() => sendAgain(result === undefined)} />}
        {content && "beszel" in content && <BeszelImport rows={content.beszel} key={file?.name} />}
        {result && (
          <Outcome
            result={result}
            busy={task.busy}
            onImport={() => sendAgain(false)}
            onAllowed={() => setResult({ ...result, setting: undefined })}
          />
        )}
      </div>
    </>
  );
}
