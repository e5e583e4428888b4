/** Mails that wait, were sent or have failed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { OutboxMailView } from "../../../records/outbox-view.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Segments } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { type TableColumn, Table } from "../controls-table.tsx";
import { showToast } from "../controls-toast.tsx";
import { CursorList, useCursorPage } from "../console/cursor-page.tsx";
import { Ago, Badge, type BadgeKind } from "../console/pieces.tsx";
import { ErrorNote, showProblem, useTask } from "../console/problem.tsx";
import { useQuery } from "../console/query.ts";
import { adminRequest } from "../console/session.ts";

type State = OutboxMailView["state"];

const states = ["waiting", "failed", "sent"] as const satisfies readonly State[];

const stateTexts: Readonly<Record<State, TextName>> = {
  waiting: "admin.queue.waiting",
  failed: "admin.queue.failed",
  sent: "admin.queue.sent",
};
const stateKinds: Readonly<Record<State, BadgeKind>> = { waiting: "warn", failed: "bad", sent: "good" };

function StateBadge({ state }: { state: State }): JSX.Element {
  return <Badge kind={stateKinds[state]}>{text(stateTexts[state])}</Badge>;
}

function MailFacts({ mail }: { mail: OutboxMailView }): JSX.Element {
  return (
    <dl class="facts">
      <div>
        <dt>{text("admin.outbox.to")}</dt>
        <dd class="break">{mail.to}</dd>
      </div>
      <div>
        <dt>{text("admin.column.state")}</dt>
        <dd>
          <StateBadge state={mail.state} /> <Ago at={mail.sentAt ?? mail.createdAt} />
        </dd>
      </div>
      {mail.lastError !== undefined && (
        <div>
          <dt>{text("admin.queue.error")}</dt>
          <dd class="break">{mail.lastError}</dd>
        </div>
      )}
    </dl>
  );
}

/** Where the outbox of a service is, and what it lets an administrator do beside trying again. */
export interface OutboxSource {
  /** GET lists; /{id}/retry tries again. */
  readonly path: string;
  /** Codes and links are hidden until somebody asks at /{id}/reveal, which the audit keeps. */
  readonly isMasked?: boolean;
  /** DELETE takes a mail back that has not left. */
  readonly canCancel?: boolean;
}

interface MailDialogProps {
  readonly mail: OutboxMailView;
  readonly source: OutboxSource;
  /** Sends something about the mail; then it is closed and the list read anew. */
  readonly onAct: (act: "retry" | "cancel") => Promise<void>;
  readonly onClose: () => void;
}

function MailDialog({ mail, source, onAct, onClose }: MailDialogProps): JSX.Element {
  const [shown, setShown] = useState<string | undefined>();
  const task = useTask();
  const { path, isMasked = false, canCancel = false } = source;
  const reveal = async (): Promise<void> => {
    setShown((await adminRequest<OutboxMailView>(`${path}/${mail.id}/reveal`, { method: "POST" })).text);
  };
  const isHidden = isMasked && shown === undefined && mail.state !== "sent";
  const words = shown ?? mail.text;
  return (
    <Dialog
      title={mail.subject}
      wide
      onClose={onClose}
      actions={
        <>
          {isHidden && words !== "" && (
            <Button icon="hidden" disabled={task.busy} onClick={() => void task.run(reveal)}>
              {text("admin.outbox.reveal")}
            </Button>
          )}
          {canCancel && mail.state !== "sent" && (
            <Button
              icon="trash"
              kind="danger"
              disabled={task.busy}
              onClick={() => void task.run(() => onAct("cancel"))}
            >
              {text("admin.outbox.cancel")}
            </Button>
          )}
          <span class="spacer" />
          {mail.state !== "sent" && (
            <Button icon="send" disabled={task.busy} onClick={() => void task.run(() => onAct("retry"))}>
              {text("admin.queue.retry")}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {text("control.close")}
          </Button>
        </>
      }
    >
      <div class="stack">
        {task.message !== undefined && <ErrorNote message={task.message} />}
        <MailFacts mail={mail} />
        {words === "" ? (
          <p class="quiet-text">{text("admin.outbox.gone")}</p>
        ) : (
          <pre class="mail-text" tabIndex={0}>
            {words}
          </pre>
        )}
        {isHidden && <p class="field-hint">{text("admin.outbox.revealHint")}</p>}
      </div>
    </Dialog>
  );
}

const toColumns = (onOpen: (mail: OutboxMailView) => void): readonly TableColumn<OutboxMailView>[] => [
  {
    key: "subject",
    label: text("admin.queue.subject"),
    cell: (mail) => (
      <button type="button" class="link-button" onClick={() => onOpen(mail)}>
        {mail.subject}
      </button>
    ),
  },
  { key: "to", label: text("admin.outbox.to"), cell: ({ to }) => <span class="break">{to}</span> },
  { key: "kind", label: text("admin.column.kind"), cell: ({ kind }) => <code>{kind}</code> },
  {
    key: "state",
    label: text("admin.column.state"),
    cell: ({ state, lastError }) => (
      <>
        <StateBadge state={state} />
        {lastError !== undefined && state !== "sent" && <p class="field-hint break">{lastError}</p>}
      </>
    ),
  },
  { key: "attempts", label: text("admin.queue.attempts"), number: true, cell: ({ attempts }) => attempts },
  { key: "at", label: text("admin.queue.written"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** The list with its filter; the state, the page and the open mail stand in the address. */
export function Outbox({ source, label }: { source: OutboxSource; label: string }): JSX.Element {
  const query = useQuery();
  const state = states.find((one) => one === query.get("state"));
  const masked: Record<string, string> = source.isMasked === true ? { masked: "true" } : {};
  const page = useCursorPage<OutboxMailView>(source.path, { ...masked, state: state ?? "" });
  const open = page.items.find(({ id }) => id === query.get("mail"));
  const act = async ({ id }: OutboxMailView, what: "retry" | "cancel"): Promise<void> => {
    if (what === "retry") await adminRequest(`${source.path}/${id}/retry`, { method: "POST" });
    else await adminRequest(`${source.path}/${id}`, { method: "DELETE" });
    showToast(text(what === "retry" ? "admin.outbox.retried" : "admin.outbox.canceled"));
    query.set({ mail: "" });
    await page.refresh();
  };
  return (
    <>
      <div class="admin-filters">
        <Segments<State | "all">
          label={text("admin.column.state")}
          value={state ?? "all"}
          choices={[
            { value: "all", label: text("admin.outbox.all") },
            ...states.map((value) => ({ value, label: text(stateTexts[value]) })),
          ]}
          onChange={(chosen) => query.set({ state: chosen === "all" ? "" : chosen, cursor: "" })}
        />
        <span class="spacer" />
        <Button icon="refresh" onClick={() => void page.refresh().catch(showProblem)}>
          {text("admin.outbox.refresh")}
        </Button>
      </div>
      <CursorList
        page={page}
        empty={text(state === undefined ? "admin.outbox.none" : "admin.outbox.noneSuch")}
      >
        <div class="mail-table">
          <Table
            caption={label}
            columns={toColumns(({ id }) => query.set({ mail: id }, { push: true }))}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
      {open && (
        <MailDialog
          mail={open}
          key={open.id}
          source={source}
          onAct={(what) => act(open, what)}
          onClose={() => query.set({ mail: "" })}
        />
      )}
    </>
  );
}
