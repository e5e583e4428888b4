/** One email template: its words, what can be filled in, a preview, a test email, and the way back to the original. */
import type { JSX } from "preact";
import type { MailPreview, MailTested, MailWords } from "../../../shop/mail-editor/answer-schema.ts";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { FormFields } from "../../ui/resource/fields.tsx";
import { type Form, toText } from "../../ui/resource/kind.ts";
import { toEdited, toWordsPath, wordsForm } from "./words-form.ts";
import { Panel } from "../../ui/panel.tsx";

/** Pause in typing before the preview is updated, in milliseconds. */
const PAUSE_MS = 400;

/** The mail as text with the words as they are typed, and as HTML with those that are kept. */
function Preview({ view, words, dirty }: { view: MailWords; words: Form; dirty: boolean }): JSX.Element {
  const [state, setState] = useState<{ mail?: MailPreview; message?: string }>({});
  const path = toWordsPath(view);
  useEffect(() => {
    let isGone = false;
    const ask = (): void => {
      adminRequest<MailPreview>(`${path}/preview`, { method: "POST", body: words }).then(
        (mail) => !isGone && setState({ mail }),
        (error: unknown) => !isGone && setState((before) => ({ ...before, message: toMessage(error) })),
      );
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path, words["subject"], words["text"]]);
  const { mail, message } = state;
  return (
    <Panel small title={text("shop.mails.preview")}>
      {message !== undefined && <ErrorNote message={message} />}
      <iframe
        class="mail-frame"
        title={text("admin.mails.html")}
        sandbox=""
        src={`${path}/page`}
        key={view.version}
      />
      {dirty && <p class="field-hint">{text("shop.mails.html.saved")}</p>}
      <h3>{text("admin.mails.asText")}</h3>
      {mail && (
        <div lang={view.language} class="stack-small">
          <strong>{mail.subject}</strong>
          <pre class="mail-text" tabIndex={0}>
            {mail.text}
          </pre>
        </div>
      )}
    </Panel>
  );
}

/** The variables in braces; a click inserts one at the cursor. */
function Places({ view, onInsert }: { view: MailWords; onInsert: (place: string) => void }): JSX.Element {
  const row = (names: readonly string[]): JSX.Element => (
    <span class="button-row">
      {names.map((name) => (
        <Button small key={name} onClick={() => onInsert(`{${name}}`)}>
          {`{${name}}`}
        </Button>
      ))}
    </span>
  );
  return (
    <dl class="facts">
      <div>
        <dt>{text("shop.mails.values")}</dt>
        <dd>{row(view.values)}</dd>
      </div>
      <div>
        <dt>{text("shop.mails.blocks")}</dt>
        <dd class="stack-small">
          {row(view.blocks)}
          {view.needed.length > 0 && (
            <span class="field-hint">
              {text("shop.mails.needed", { names: view.needed.map((name) => `{${name}}`).join(" ") })}
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Puts a place into the text of a form's own field, where the cursor was last. */
function insertInto(area: HTMLTextAreaElement | null | undefined, present: string, place: string): string {
  if (area === null || area === undefined) return `${present}${place}`;
  const { selectionStart, selectionEnd } = area;
  requestAnimationFrame(() => {
    area.focus();
    area.setSelectionRange(selectionStart + place.length, selectionStart + place.length);
  });
  return present.slice(0, selectionStart) + place + present.slice(selectionEnd);
}

interface ActProps {
  readonly view: MailWords;
  readonly dirty: boolean;
  readonly onReset: (view: MailWords) => void;
}

function Acts({ view, dirty, onReset }: ActProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const task = useTask();
  async function sendSample(): Promise<void> {
    const path = toWordsPath(view, "/test");
    const { to } = await adminRequest<MailTested>(path, { method: "POST", body: {} });
    showToast(text("shop.mails.sample.sent", { to }));
  }
  async function reset(): Promise<void> {
    await adminRequest(toWordsPath(view), { method: "DELETE" });
    onReset(await adminRequest<MailWords>(toWordsPath(view)));
    setAsking(false);
  }
  return (
    <div class="stack-small">
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <div class="button-row">
        <Button icon="send" disabled={task.busy || dirty} onClick={() => void task.run(sendSample)}>
          {text("shop.mails.sample")}
        </Button>
        {view.isChanged && (
          <Button kind="danger" disabled={task.busy} onClick={() => setAsking(true)}>
            {text("shop.mails.reset")}
          </Button>
        )}
      </div>
      <p class="field-hint">
        {text(dirty ? "shop.mails.sample.dirty" : "shop.mails.sample.hint")}{" "}
        <a href="/admin/mail">{text("shop.nav.mail")}</a>
      </p>
      {isAsking && (
        <ConfirmTask title={text("shop.mails.reset")} danger send={reset} onClose={() => setAsking(false)}>
          {text("shop.mails.reset.text")}
        </ConfirmTask>
      )}
    </div>
  );
}

/** The form with its preview. */
export function WordsEditor({ stored, onSaved }: { stored: MailWords; onSaved: () => void }): JSX.Element {
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(onSaved), []),
  );
  const { base, form, dirty, task } = editor;
  const fields = useRef<HTMLDivElement>(null);
  const part = { form, errors: task.errors, onChange: editor.change };
  const insert = (place: string): void => {
    const area = fields.current?.querySelector("textarea");
    editor.change({ text: insertInto(area, toText(form["text"]), place) });
  };
  return (
    <div class="stack">
      <EditorForm label={base.subject} editor={editor} pointers={wordsForm.pointers}>
        <FieldGroup title={text(`shop.mails.kind.${base.kind}` as "shop.mails.kind.order_placed")}>
          <div ref={fields} class="mail-words stack">
            <FormFields form={wordsForm} context={undefined} part={part} />
          </div>
          <Places view={base} onInsert={insert} />
        </FieldGroup>
      </EditorForm>
      <Acts
        view={base}
        dirty={dirty}
        onReset={(view) => {
          editor.begin(view);
          onSaved();
        }}
      />
      <Preview view={base} words={form} dirty={dirty} />
    </div>
  );
}
