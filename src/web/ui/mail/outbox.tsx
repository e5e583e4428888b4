/** Mails that wait, were sent or have failed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { OutboxMailView } from "../../../records/outbox-view.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { showToast } from "../controls-toast.tsx";
import { Ago } from "../console/pieces.tsx";
import { ErrorNote, useTask } from "../console/problem.tsx";
import { QueueBadge, queueFilter } from "../console/queue-state.tsx";
import { adminRequest } from "../console/session.ts";
import { Facts } from "../facts.tsx";
import type { ListTools, Listing } from "../resource/resource.ts";

/** Where the outbox of a service is, and what it lets an administrator do beside trying again. */
export interface OutboxSource {
  /** GET lists; /{id}/retry tries again. */
  readonly path: `/api/admin/${string}`;
  readonly navigation: TextName;
  readonly write: string;
  /** Codes and links are hidden until somebody asks at /{id}/reveal, which the audit keeps. */
  readonly isMasked?: boolean;
  /** DELETE takes a mail back that has not left. */
  readonly canCancel?: boolean;
}

interface MailDialogProps {
  readonly mail: OutboxMailView;
  readonly source: OutboxSource;
  readonly tools: ListTools<OutboxMailView>;
  readonly onClose: () => void;
}

function MailFacts({ mail }: { mail: OutboxMailView }): JSX.Element {
  return (
    <Facts
      facts={[
        [text("admin.outbox.to"), <span class="break">{mail.to}</span>],
        [
          text("admin.column.state"),
          <>
            <QueueBadge state={mail.state} /> <Ago at={mail.sentAt ?? mail.createdAt} />
          </>,
        ],
        [text("admin.queue.error"), mail.lastError && <span class="break">{mail.lastError}</span>],
      ]}
    />
  );
}

function MailDialog({ mail, source, tools, onClose }: MailDialogProps): JSX.Element {
  const [shown, setShown] = useState<string | undefined>();
  const task = useTask();
  const { isMasked = false, canCancel = false } = source;
  const path = `${source.path}/${mail.id}`;
  const run = (work: () => Promise<unknown>, done: TextName): void =>
    void task.run(async () => {
      await work();
      showToast(text(done));
      onClose();
      await tools.refresh();
    });
  const reveal = async (): Promise<void> => {
    setShown((await adminRequest<OutboxMailView>(`${path}/reveal`, { method: "POST" })).text);
  };
  const isHidden = isMasked && shown === undefined && mail.state !== "sent";
  const words = shown ?? mail.text;
  const mayAct = tools.mayWrite && mail.state !== "sent";
  return (
    <Dialog
      title={mail.subject}
      wide
      onClose={onClose}
      actions={
        <>
          {tools.mayWrite && isHidden && words !== "" && (
            <Button icon="hidden" disabled={task.busy} onClick={() => void task.run(reveal)}>
              {text("admin.outbox.reveal")}
            </Button>
          )}
          {canCancel && mayAct && (
            <Button
              icon="trash"
              kind="danger"
              disabled={task.busy}
              onClick={() => run(() => adminRequest(path, { method: "DELETE" }), "admin.outbox.canceled")}
            >
              {text("admin.outbox.cancel")}
            </Button>
          )}
          <span class="spacer" />
          {mayAct && (
            <Button
              icon="send"
              disabled={task.busy}
              onClick={() =>
                run(() => adminRequest(`${path}/retry`, { method: "POST" }), "admin.outbox.retried")
              }
            >
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

/** The list of a service; state, page and open email are part of the URL. */
export function toOutbox(source: OutboxSource): Listing<OutboxMailView> {
  const { path, navigation, write } = source;
  return {
    api: path,
    navigation,
    texts: "admin.outbox",
    write,
    idOf: ({ id }) => id,
    nameOf: ({ subject }) => subject,
    itemIn: "mail",
    Item: ({ view, tools, onClose }) => (
      <MailDialog mail={view} source={source} tools={tools} onClose={onClose} />
    ),
    table: {
      class: "mail-table",
      filters: [queueFilter],
      reload: true,
      columns: ({ open }) => [
        {
          key: "subject",
          label: text("admin.queue.subject"),
          cell: (mail) => (
            <button type="button" class="link-button" onClick={() => open(mail)}>
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
              <QueueBadge state={state} />
              {lastError !== undefined && state !== "sent" && <p class="field-hint break">{lastError}</p>}
            </>
          ),
        },
        {
          key: "attempts",
          label: text("admin.queue.attempts"),
          number: true,
          cell: ({ attempts }) => attempts,
        },
        { key: "at", label: text("admin.queue.written"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ],
    },
  };
}
