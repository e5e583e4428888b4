/** One import: its trial, its progress, and what became of it. */
import type { JSX } from "preact";
import type {
  ImportItemView,
  ImportPictureView,
  ImportView,
} from "../../../../shop/imports/answer-schema.ts";
import { useState } from "preact/hooks";
import { countText, text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { ConfirmTask } from "../../../ui/console/confirm-task.tsx";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import { Loaded } from "../../../ui/console/pieces.tsx";
import { type Polled, usePolled } from "../../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { mayUse } from "../../../ui/console/session.ts";
import { Panel } from "../../../ui/panel.tsx";
import { FaultTable, TrialPanel } from "./trial-panel.tsx";
import {
  IMPORTS,
  isWorking,
  mayImport,
  recordNames,
  sendMove,
  stateNames,
  toListHref,
  toRecordHref,
  toSentence,
} from "./import-data.ts";

interface Shown {
  readonly one: ImportView;
  readonly refresh: Polled<ImportView>["refresh"];
}

function Meter(props: { label: string; done: number; all: number }): JSX.Element {
  const { label, done, all } = props;
  return (
    <div class="stack-small">
      <p>{label}</p>
      <progress value={done} max={Math.max(1, all)} aria-label={label} />
    </div>
  );
}

function Meters({ one }: { one: ImportView }): JSX.Element {
  const { counts, trial } = one;
  const pictures = Math.max(counts.pictures, trial.pictures);
  const fetched = counts.picturesDone + counts.picturesFailed;
  return (
    <div class="stack" role="status">
      <Meter
        label={text("shop.moving.progress", { kind: one.kind, done: counts.items, all: trial.items })}
        done={counts.items}
        all={trial.items}
      />
      {pictures > 0 && (
        <Meter
          label={text("shop.moving.progress.pictures", { done: fetched, all: pictures })}
          done={fetched}
          all={pictures}
        />
      )}
    </div>
  );
}

function FailedPictures({ one, refresh }: Shown): JSX.Element {
  const pages = usePages<ImportPictureView>(`${IMPORTS}/${one.id}/pictures?state=failed`);
  const task = useTask();
  return (
    <Panel title={countText("shop.moving.pictures.failed", one.counts.picturesFailed)}>
      <PagedRows pages={pages} none="shop.moving.pictures.none">
        <Table
          caption={countText("shop.moving.pictures.failed", one.counts.picturesFailed)}
          rows={pages.items}
          keyOf={({ productId, source }) => `${productId} ${source}`}
          columns={[
            { key: "line", label: text("shop.transfer.line"), number: true, cell: ({ line }) => line },
            {
              key: "source",
              label: text("shop.moving.column.picture"),
              cell: ({ source, productId }) => <a href={`/admin/products/${productId}`}>{source}</a>,
            },
            {
              key: "reason",
              label: text("shop.transfer.wrong"),
              cell: ({ reason, reasonText }) => toSentence(reason, reasonText),
            },
          ]}
        />
      </PagedRows>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {mayUse("products:write") && (
        <div class="button-row">
          <Button
            disabled={task.busy}
            onClick={() => void task.run(() => sendMove(one.id, "retry-pictures").then(refresh))}
          >
            {text("shop.moving.pictures.retry")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function KeptRecords({ one }: { one: ImportView }): JSX.Element {
  const { kind } = one;
  const title = text("shop.moving.kept", { kind, count: one.kept });
  const archived = usePages<ImportItemView>(`${IMPORTS}/${one.id}/items?undo=archived`);
  const kept = usePages<ImportItemView>(`${IMPORTS}/${one.id}/items?undo=kept`);
  return (
    <Panel title={title}>
      <Table
        caption={title}
        rows={[...archived.items, ...kept.items]}
        keyOf={({ targetId }) => targetId}
        columns={[
          {
            key: "title",
            label: text(recordNames[kind]),
            cell: ({ targetId, title: name }) => <a href={toRecordHref(kind, targetId)}>{name}</a>,
          },
          {
            key: "reason",
            label: text("shop.moving.column.reason"),
            cell: ({ reason, reasonText }) => toSentence(reason, reasonText),
          },
        ]}
      />
    </Panel>
  );
}

function UndoDialog({ one, refresh, onClose }: Shown & { readonly onClose: () => void }): JSX.Element {
  return (
    <ConfirmTask
      title={text("shop.moving.undo")}
      danger
      onClose={onClose}
      send={async () => {
        await sendMove(one.id, "undo");
        onClose();
        await refresh();
      }}
    >
      {text("shop.moving.undo.text", { kind: one.kind })}
    </ConfirmTask>
  );
}

function Moves({ one, refresh }: Shown): JSX.Element {
  const [isUndoing, setIsUndoing] = useState(false);
  const task = useTask();
  const move = (name: string): void => void task.run(() => sendMove(one.id, name).then(refresh));
  const { state } = one;
  return (
    <>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <div class="button-row">
        {state === "done" && (
          <a class="button primary" href={toListHref(one.kind)}>
            {text("shop.moving.look", { kind: one.kind })}
          </a>
        )}
        {state === "stopped" && (
          <Button kind="primary" disabled={task.busy} onClick={() => move("start")}>
            {text("shop.moving.continue")}
          </Button>
        )}
        {state === "running" && (
          <Button disabled={task.busy} onClick={() => move("stop")}>
            {text("shop.moving.stop")}
          </Button>
        )}
        {(state === "done" || state === "stopped") && (
          <Button onClick={() => setIsUndoing(true)}>{text("shop.moving.undo")}</Button>
        )}
      </div>
      {isUndoing && <UndoDialog one={one} refresh={refresh} onClose={() => setIsUndoing(false)} />}
    </>
  );
}

function Result({ one }: { one: ImportView }): JSX.Element {
  const { kind, state, counts, undone, failure, failureText } = one;
  const isGood = counts.failed + counts.picturesFailed === 0 && failure === undefined;
  return (
    <div class={`admin-note ${isGood ? "is-good" : "is-warn"}`} role="status">
      <div class="stack-small">
        <strong>{text(stateNames[state])}</strong>
        {failure !== undefined && <p>{toSentence(failure, failureText)}</p>}
        {state === "undone" ? (
          <p>{text("shop.moving.undone", { kind, count: undone })}</p>
        ) : (
          <p>
            {(counts.created > 0 || counts.changed === 0) &&
              text("shop.moving.created", { kind, count: counts.created })}{" "}
            {counts.changed > 0 && text("shop.moving.updated", { kind, count: counts.changed })}{" "}
            {counts.skipped > 0 && countText("shop.moving.skipped", counts.skipped)}{" "}
            {counts.picturesDone > 0 && countText("shop.moving.pictures", counts.picturesDone)}{" "}
            {counts.noted > 0 && countText("shop.moving.noted", counts.noted)}{" "}
            {counts.failed > 0 && text("shop.moving.failed", { kind, count: counts.failed })}
          </p>
        )}
      </div>
    </div>
  );
}

function Run({ one, refresh }: Shown): JSX.Element {
  const { state, counts } = one;
  const isOver = state === "done" || state === "stopped" || state === "undone";
  return (
    <>
      <Panel title={one.fileName}>
        {isOver ? <Result one={one} /> : <Meters one={one} />}
        {state === "undoing" && <p class="field-hint">{text("shop.moving.state.undoing")}</p>}
        {mayImport(one.kind) && <Moves one={one} refresh={refresh} />}
      </Panel>
      {isOver && counts.failed + counts.noted > 0 && state !== "undone" && (
        <FaultTable one={one} phase="run" />
      )}
      {(state === "done" || state === "stopped") && counts.picturesFailed > 0 && (
        <FailedPictures one={one} refresh={refresh} />
      )}
      {state === "undone" && one.kept > 0 && <KeptRecords one={one} />}
    </>
  );
}

/** The import with this ID; the page follows it while the job works. */
export function ImportProgress({ id }: { id: string }): JSX.Element {
  const [everyMs, setEveryMs] = useState(1_000);
  const polled = usePolled<ImportView>(`${IMPORTS}/${id}`, everyMs);
  const { data } = polled;
  const wanted = data === undefined || isWorking(data) ? 1_000 : 0;
  if (wanted !== everyMs) setEveryMs(wanted);
  return (
    <Loaded of={polled}>
      {(one) =>
        one.startedAt === undefined ? (
          <TrialPanel one={one} refresh={polled.refresh} />
        ) : (
          <Run one={one} refresh={polled.refresh} />
        )
      }
    </Loaded>
  );
}
