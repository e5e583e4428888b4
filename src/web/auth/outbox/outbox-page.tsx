/** Mails that wait, were sent or have failed. Codes and links in them are hidden until somebody asks, which the audit keeps. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, Badge, type BadgeKind, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote, showProblem, useTask } from "../../ui/console/problem.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";

const OUTBOX = "/api/admin/outbox";
const states = ["waiting", "failed", "sent"] as const;
type State = (typeof states)[number];

interface Mail {
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly state: State;
  readonly attempts: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly sentAt?: string;
  readonly lastError?: string;
  /** "" once it was sent. */
  readonly text: string;
}

const stateTexts: Readonly<Record<State, TextName>> = {
  waiting: "auth.outbox.waiting",
  failed: "auth.outbox.failed",
  sent: "auth.outbox.sent",
};
const stateKinds: Readonly<Record<State, BadgeKind>> = { waiting: "warn", failed: "bad", sent: "good" };

function StateBadge({ state }: { state: State }): JSX.Element {
  return <Badge kind={stateKinds[state]}>{text(stateTexts[state])}</Badge>;
}

function MailFacts({ mail }: { mail: Mail }): JSX.Element {
  return (
    <dl class="facts">
      <div>
        <dt>{text("auth.outbox.to")}</dt>
        <dd class="break">{mail.to}</dd>
      </div>
      <div>
        <dt>{text("auth.outbox.state")}</dt>
        <dd>
          <StateBadge state={mail.state} /> <Ago at={mail.sentAt ?? mail.createdAt} />
        </dd>
      </div>
      {mail.lastError !== undefined && (
        <div>
          <dt>{text("auth.outbox.error")}</dt>
          <dd class="break">{mail.lastError}</dd>
        </div>
      )}
    </dl>
  );
}

function MailDialog(props: { mail: Mail; onRetry: () => Promise<void>; onClose: () => void }): JSX.Element {
  const { mail, onRetry, onClose } = props;
  const [shown, setShown] = useState<string | undefined>();
  const task = useTask();
  const reveal = async (): Promise<void> => {
    setShown((await adminRequest<Mail>(`${OUTBOX}/${mail.id}/reveal`, { method: "POST" })).text);
  };
  const words = shown ?? mail.text;
  return (
    <Dialog
      title={mail.subject}
      wide
      onClose={onClose}
      actions={
        <>
          {mail.state !== "sent" && shown === undefined && words !== "" && (
            <Button icon="hidden" disabled={task.busy} onClick={() => void task.run(reveal)}>
              {text("auth.outbox.reveal")}
            </Button>
          )}
          <span class="spacer" />
          {mail.state !== "sent" && (
            <Button icon="send" disabled={task.busy} onClick={() => void task.run(onRetry)}>
              {text("auth.outbox.retry")}
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
          <p class="quiet-text">{text("auth.outbox.gone")}</p>
        ) : (
          <pre class="mail-text" tabIndex={0}>
            {words}
          </pre>
        )}
        {mail.state !== "sent" && shown === undefined && (
          <p class="field-hint">{text("auth.outbox.revealHint")}</p>
        )}
      </div>
    </Dialog>
  );
}

const toColumns = (onOpen: (mail: Mail) => void): readonly TableColumn<Mail>[] => [
  {
    key: "subject",
    label: text("auth.outbox.subject"),
    cell: (mail) => (
      <button type="button" class="link-button" onClick={() => onOpen(mail)}>
        {mail.subject}
      </button>
    ),
  },
  { key: "to", label: text("auth.outbox.to"), cell: ({ to }) => <span class="break">{to}</span> },
  { key: "kind", label: text("auth.outbox.kind"), cell: ({ kind }) => <code>{kind}</code> },
  {
    key: "state",
    label: text("auth.outbox.state"),
    cell: ({ state, lastError }) => (
      <>
        <StateBadge state={state} />
        {lastError !== undefined && state !== "sent" && <p class="field-hint break">{lastError}</p>}
      </>
    ),
  },
  { key: "attempts", label: text("auth.outbox.attempts"), number: true, cell: ({ attempts }) => attempts },
  { key: "at", label: text("auth.outbox.at"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** The section. */
export function OutboxPage(): JSX.Element {
  const query = useQuery();
  const state = states.find((one) => one === query.get("state"));
  const page = useCursorPage<Mail>(OUTBOX, { masked: "true", state: state ?? "" });
  const open = page.items.find(({ id }) => id === query.get("mail"));
  const retry = async ({ id }: Mail): Promise<void> => {
    await adminRequest(`${OUTBOX}/${id}/retry`, { method: "POST" });
    showToast(text("auth.outbox.retried"));
    query.set({ mail: "" });
    await page.refresh();
  };
  return (
    <>
      <PageHead title={text("auth.nav.outbox")} hint={text("auth.outbox.hint")}>
        <Button icon="refresh" onClick={() => void page.refresh().catch(showProblem)}>
          {text("auth.outbox.refresh")}
        </Button>
      </PageHead>
      <div class="admin-filters">
        <Segments<State | "all">
          label={text("auth.outbox.state")}
          value={state ?? "all"}
          choices={[
            { value: "all", label: text("auth.outbox.all") },
            ...states.map((value) => ({ value, label: text(stateTexts[value]) })),
          ]}
          onChange={(chosen) => query.set({ state: chosen === "all" ? "" : chosen, cursor: "" })}
        />
      </div>
      <CursorList page={page} empty={text(state === undefined ? "auth.outbox.none" : "auth.outbox.noneSuch")}>
        <div class="mail-table">
          <Table
            caption={text("auth.nav.outbox")}
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
          onRetry={() => retry(open)}
          onClose={() => query.set({ mail: "" })}
        />
      )}
    </>
  );
}
