/** A new check: its kind, its fields, a test before it is saved; a copy begins with the fields of another. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { checkForms } from "../../../../monitor/checks/form-schema.ts";
import { type CheckKind, judgedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckInput, CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { readerZone } from "../../../charts/range/span-dialog.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { usePolled } from "../../../ui/console/polled.ts";
import { ErrorNote, TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { useQuery } from "../../../ui/console/query.ts";
import { focusFirstError } from "../../../ui/console/save-bar.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { Button } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { isSame } from "../../../ui/forms/conflict.ts";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { sayFaults } from "../../../ui/forms/parsed.ts";
import { FormFields } from "../../../ui/resource/fields.tsx";
import { nestFields, pickFields, readForm, toBlank, toNext, toTyped } from "../../../ui/resource/form.ts";
import {
  type Form,
  type Typed,
  isTypedGroup,
  isTypedList,
  toText,
  toTexts,
} from "../../../ui/resource/kind.ts";
import { useLeaving } from "../../../ui/resource/use-leaving.ts";
import { CHECKS, toCheckPage, toCheckPath } from "../check-data.ts";
import { TellNote } from "../tell-note.tsx";
import { checkKindNames, madeFormOf, useCheckContext } from "./check-form.ts";
import { findHost, findHostField } from "./check-name.tsx";
import { KindChooser } from "./kind-chooser.tsx";
import { TestPanel } from "./test-panel.tsx";
import { Note } from "../../../ui/console/note.tsx";

interface Draft {
  readonly kind: CheckKind;
  /** Input of each kind. */
  readonly forms: Readonly<Partial<Record<CheckKind, Form>>>;
}

/** Initial values of a kind; cron expressions use the reader's time zone. */
export function beginForm(kind: CheckKind, timeZone: string): Form {
  const form = toBlank(madeFormOf(kind));
  const schedule = form["target/schedule"];
  return isTypedGroup(schedule) ? { ...form, "target/schedule": { ...schedule, timeZone } } : form;
}

/** Another kind of check: what all kinds have goes along, and the host where none is typed. */
export function toOtherKind(from: { kind: CheckKind; form: Form }, kind: CheckKind, next: Form): Form {
  const field = findHostField(checkForms[kind].name);
  const host = findHost(checkForms[from.kind].name, from.form);
  const shared = Object.entries(from.form).filter(([name]) => name in next && !name.startsWith("target/"));
  const takesHost = field !== undefined && field !== "url" && host !== "";
  const isEmpty = toText(next[`target/${field}`]) === "";
  return {
    ...next,
    ...Object.fromEntries(shared),
    ...(takesHost && isEmpty && { [`target/${field}`]: host }),
  };
}

/** A stored secret cannot be read, and must be entered again. */
function withoutKept(typed: Typed): Typed {
  if (isTypedList(typed)) return typed.map(withoutKept);
  return isTypedGroup(typed) && "kept" in typed ? { ...typed, kept: "" } : typed;
}

/** The form of a copy. */
function toCopy(check: CheckView): Form {
  const form = madeFormOf(check.target.kind);
  const typed = Object.entries(toTyped(form, pickFields(form, check), { groups: [], tags: [], servers: [] }));
  return {
    ...Object.fromEntries(typed.map(([name, value]) => [name, withoutKept(value)])),
    name: text("admin.check.copy.name", { name: check.name }).slice(0, form.fields.get("name")?.json.max),
  };
}

function Editor({ kind: first, begun }: { kind: CheckKind; begun: Form }): JSX.Element {
  const [{ kind, forms }, setDraft] = useState<Draft>({ kind: first, forms: { [first]: begun } });
  const [isLeaving, leaveFor] = useLeaving();
  const task = useTask();
  const root = useRef<HTMLFormElement>(null);
  const context = useCheckContext();
  const form = madeFormOf(kind);
  const typed = forms[kind] ?? begun;
  function choose(next: CheckKind): void {
    const known = forms[next] ?? beginForm(next, readerZone());
    setDraft({ kind: next, forms: { ...forms, [next]: toOtherKind({ kind, form: typed }, next, known) } });
    task.clear();
  }
  function read(): CheckInput | undefined {
    const parsed = readForm(form, typed, { context });
    // The fields are those of the check's schema.
    if (parsed.ok) return nestFields(parsed.fields) as unknown as CheckInput;
    task.refuse(sayFaults(parsed.faults));
    focusFirstError(root.current);
    return undefined;
  }
  async function save(body: CheckInput): Promise<void> {
    const made = await adminRequest<CheckView>(CHECKS, { method: "POST", body });
    showToast(text("admin.check.made", { name: made.name }));
    leaveFor(toCheckPage(made.id));
  }
  const isHeartbeat = kind === "heartbeat";
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
        <TaskNote task={task} pointers={form.pointers} />
        <KindChooser kind={kind} onChange={choose} />
        <FormFields
          form={form}
          context={context}
          part={{
            form: typed,
            errors: task.errors,
            onChange: (change) =>
              setDraft((now) => ({
                kind: now.kind,
                forms: { ...now.forms, [kind]: toNext(now.forms[kind] ?? begun, change) },
              })),
          }}
        />
      </div>
      <div class="stack check-aside">
        {isHeartbeat && <Note>{text("admin.check.heartbeat.next")}</Note>}
        {!judgedKinds.includes(kind) && <TestPanel read={read} task={task} pointers={form.pointers} />}
        <TellNote check={{ target: { kind }, group: toText(typed["group"]), tags: toTexts(typed["tags"]) }} />
        <div class="button-row">
          <Button kind="primary" type="submit" disabled={task.busy}>
            {text(task.busy ? "admin.saving" : "admin.check.make")}
          </Button>
          <a class="button" href="/admin/checks">
            {text("control.cancel")}
          </a>
        </div>
      </div>
      <UnsavedGuard
        dirty={!isLeaving && !isSame(typed, kind === first ? begun : beginForm(kind, readerZone()))}
      />
    </form>
  );
}

function CopyEditor({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<CheckView>(toCheckPath(id), 0);
  if (data !== undefined) return <Editor kind={data.target.kind} begun={toCopy(data)} />;
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
        <Editor kind={kind} begun={beginForm(kind, readerZone())} key={kind} />
      ) : (
        <CopyEditor id={copied} />
      )}
    </>
  );
}
