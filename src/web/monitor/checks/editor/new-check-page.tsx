/** Making a check: its kind, its fields, a try before it is saved; of a copy, with the fields of another. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckInput, CheckView } from "../../../../monitor/checks/view-schema.ts";
import { navigate } from "../../../app/route.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { usePolled } from "../../../ui/console/polled.ts";
import { ErrorNote, TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { useQuery } from "../../../ui/console/query.ts";
import { focusFirstError } from "../../../ui/console/save-bar.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { isSame } from "../../../ui/forms/conflict.ts";
import { readerZone } from "../../../charts/range/span-dialog.tsx";
import { CHECKS, pickCheck, toCheckPage, toCheckPath } from "../check-data.ts";
import { TellNote } from "../tell-note.tsx";
import { CheckFields, KindChooser, listPointers } from "./check-fields.tsx";
import { type CheckForm, newCheckForm, parseCheckForm, toCheckForm } from "./check-form.ts";
import { checkKindNames } from "../../pieces/check-words.ts";
import { TestPanel } from "./test-panel.tsx";
import { useFormChoices } from "./form-choices.ts";

/** The form of a copy; what was stored of its headers cannot be read, and is typed again. */
function toCopy(check: CheckView): CheckForm {
  const form = toCheckForm(pickCheck(check));
  const headers = form.headers.map((header) => ({ ...header, isKept: false }));
  return { ...form, name: text("admin.check.copy.name", { name: check.name }).slice(0, 100), headers };
}

function Editor({ initial }: { initial: CheckForm }): JSX.Element {
  const [form, setForm] = useState(initial);
  const [saved, setSaved] = useState<string>();
  const task = useTask();
  const root = useRef<HTMLFormElement>(null);
  const choices = useFormChoices();
  const part = {
    form,
    errors: task.errors,
    onChange: (change: Partial<CheckForm>) => setForm((before) => ({ ...before, ...change })),
  };
  const pointers = listPointers(form.kind);
  useEffect(() => {
    // Only then is nothing held back any more.
    if (saved !== undefined) navigate(toCheckPage(saved), { replace: true });
  }, [saved]);
  function read(): CheckInput | undefined {
    const parsed = parseCheckForm(form, { paused: false });
    if (parsed.ok) return parsed.fields;
    task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
    focusFirstError(root.current);
    return undefined;
  }
  async function save(body: CheckInput): Promise<void> {
    const made = await adminRequest<CheckView>(CHECKS, { method: "POST", body });
    showToast(text("admin.check.made", { name: made.name }));
    setSaved(made.id);
  }
  return (
    <form
      ref={root}
      class="check-editor"
      noValidate
      aria-label={text("admin.check.add")}
      onSubmit={(event) => {
        event.preventDefault();
        const body = read();
        if (body !== undefined)
          void task.run(() => save(body)).then((good) => good || focusFirstError(root.current));
      }}
    >
      <div class="stack">
        <TaskNote task={task} pointers={pointers} />
        <KindChooser {...part} />
        <CheckFields {...part} {...choices} />
      </div>
      <div class="stack check-aside">
        {form.kind !== "heartbeat" && <TestPanel read={read} task={task} pointers={pointers} />}
        {form.kind === "heartbeat" && <p class="admin-note">{text("admin.check.heartbeat.next")}</p>}
        <TellNote check={{ group: form.group, tags: form.tags }} />
        <div class="button-row">
          <Button kind="primary" type="submit" disabled={task.busy}>
            {text(task.busy ? "admin.saving" : "admin.check.make")}
          </Button>
          <a class="button" href="/admin/checks">
            {text("control.cancel")}
          </a>
        </div>
      </div>
      <UnsavedGuard dirty={saved === undefined && !isSame({ ...form, kind: initial.kind }, initial)} />
    </form>
  );
}

function CopyEditor({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<CheckView>(toCheckPath(id), 0);
  if (data !== undefined) return <Editor initial={toCopy(data)} />;
  if (error !== undefined) return <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />;
  return <p class="empty">{text("page.loading")}</p>;
}

/** The page. */
export function NewCheckPage(): JSX.Element {
  const query = useQuery();
  const copied = query.get("copy");
  const kind = checkKindNames.find((name) => name === query.get("kind")) ?? "http";
  return (
    <>
      <Crumbs to="/admin/checks" label="admin.nav.checks" />
      <PageHead title={text("admin.check.add")} />
      {copied === "" ? (
        <Editor initial={newCheckForm(kind, readerZone())} key={kind} />
      ) : (
        <CopyEditor id={copied} />
      )}
    </>
  );
}
