/** The page of an item, and of a new one: its form with panels next to it, and its deletion. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { findText, text } from "../../app/texts.ts";
import { OnlyWith } from "../console/only-with.tsx";
import { FieldWordsContext } from "../console/field-words.ts";
import { EditorForm } from "../console/editor-form.tsx";
import { Crumbs, Loaded, PageHead } from "../console/pieces.tsx";
import { usePolled } from "../console/polled.ts";
import { TaskNote, useTask } from "../console/problem.tsx";
import { focusFirstError } from "../console/save-bar.tsx";
import { UnsavedGuard } from "../console/unsaved.tsx";
import { type Editor, useEditor } from "../console/use-editor.ts";
import { useLeaving } from "./use-leaving.ts";
import { useLater } from "../../app/use-later.ts";
import { Button } from "../controls.tsx";
import { isSame } from "../forms/conflict.ts";
import { sayFaults } from "../forms/parsed.ts";
import { FormFields, toFormWords } from "./fields.tsx";
import type { Form } from "./kind.ts";
import { type MadeForm, type FieldSource, makeForm, readForm, toBlank, toNext } from "./form.ts";
import {
  type Resource,
  mayWrite,
  pageText,
  sendNew,
  toAddress,
  toEdited,
  toItemPath,
  versionOf,
} from "./resource.ts";

interface Of<View extends object, S extends FieldSource, C> {
  readonly of: Resource<View, S, C>;
}

/**
 * What is stored, as it was seen last. A request beside the form, such as that for a picture or for keys, changes it: the
 * form follows, and keeps what was typed.
 */
function useNewest<View extends object, Fields>(
  stored: View,
  { base, dirty, follow }: Editor<View, Form, Fields>,
): View {
  const [storedVersion, baseVersion] = [versionOf(stored) ?? 0, versionOf(base) ?? 0];
  const followed = useRef(stored);
  useEffect(() => {
    const isKnown = storedVersion === baseVersion && followed.current === stored;
    if (isKnown || storedVersion < baseVersion) return;
    followed.current = stored;
    follow(stored);
  }, [stored, dirty]);
  // Of the same version it is the one that came last.
  const [newest, setNewest] = useState(stored);
  useEffect(() => setNewest(stored), [stored]);
  useEffect(() => setNewest(base), [base]);
  return (versionOf(newest) ?? 0) < baseVersion ? base : newest;
}

/** The form of an item inside a page of another kind. */
export function ItemForm<View extends object, S extends FieldSource, C>({
  of,
  context,
  editor,
}: Of<View, S, C> & {
  context: C;
  editor: Editor<View, Form, Readonly<Record<string, unknown>>>;
}): JSX.Element {
  const { base, form: typed, task, change } = editor;
  const form = makeForm(of);
  return (
    <FieldWordsContext.Provider value={toFormWords(form, typed, context)}>
      <EditorForm label={of.nameOf(base)} editor={editor} pointers={form.pointers} isReadOnly={!mayWrite(of)}>
        <FormFields
          form={form}
          context={context}
          part={{ form: typed, errors: task.errors, onChange: change }}
        />
      </EditorForm>
    </FieldWordsContext.Provider>
  );
}

function EditorPage<View extends object, S extends FieldSource, C>({
  of,
  context,
  stored,
  refresh,
  onSeen,
}: Of<View, S, C> & {
  context: C;
  stored: View;
  refresh: () => Promise<void>;
  onSeen: (view: View) => void;
}): JSX.Element {
  const edited = useMemo(() => toEdited(of, context), [of, context]);
  const editor = useEditor(stored, edited);
  const [isDeleting, setDeleting] = useState(false);
  const dialogs = useLater(() => import("./item-dialogs.tsx"), isDeleting);
  const { base, dirty } = editor;
  const canWrite = mayWrite(of);
  const { Mark, Actions, Before, After, Side, Delete } = of;
  const view = useNewest(stored, editor);
  useEffect(() => onSeen(view), [view]);
  const leave = async (): Promise<void> => navigate(toAddress(of), { replace: true });
  const tools = { view, mayWrite: canWrite, dirty, refresh, begin: editor.begin };
  const fields = <ItemForm of={of} context={context} editor={editor} />;
  return (
    <>
      <PageHead
        title={
          <>
            {of.nameOf(base)} {Mark && <Mark view={view} />}
          </>
        }
        hint={of.hintOf?.(base)}
      >
        {Actions && <Actions {...tools} />}
        {of.deletion !== false && canWrite && (
          <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
            {text("admin.delete")}
          </Button>
        )}
      </PageHead>
      {Before && <Before {...tools} />}
      {Side === undefined ? (
        fields
      ) : (
        <div class="form-and-panels">
          {fields}
          <Side {...tools} />
        </div>
      )}
      {After && <After {...tools} />}
      {isDeleting && Delete && <Delete view={base} onDone={leave} onClose={() => setDeleting(false)} />}
      {isDeleting && !Delete && dialogs && (
        <dialogs.DeleteItem of={of} view={base} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

/** An item with a custom page: its form is in a dialog. */
function Details<View extends object, S extends FieldSource, C>({
  of,
  stored,
  refresh,
}: Of<View, S, C> & { context: C; stored: View; refresh: () => Promise<void> }): JSX.Element {
  const [opened, setOpened] = useState<"edit" | "delete" | undefined>();
  const close = (): void => setOpened(undefined);
  const dialogs = useLater(() => import("./item-dialogs.tsx"), opened !== undefined);
  const canWrite = mayWrite(of);
  const { Mark, Actions, Body, Delete } = of;
  const leave = async (): Promise<void> => navigate(toAddress(of), { replace: true });
  const tools = { view: stored, mayWrite: canWrite, dirty: false, refresh, begin: () => void refresh() };
  return (
    <>
      <PageHead
        title={
          <>
            {of.nameOf(stored)} {Mark && <Mark view={stored} />}
          </>
        }
        hint={of.hintOf?.(stored)}
      >
        {canWrite && (
          <Button icon="edit" onClick={() => setOpened("edit")}>
            {pageText(of, "edit")}
          </Button>
        )}
        {Actions && <Actions {...tools} />}
        {of.deletion !== false && canWrite && (
          <Button icon="trash" kind="danger" onClick={() => setOpened("delete")}>
            {text("admin.delete")}
          </Button>
        )}
      </PageHead>
      {Body && <Body {...tools} />}
      {opened === "edit" && dialogs && (
        <dialogs.EditItem of={of} view={stored} onDone={refresh} onClose={close} />
      )}
      {opened === "delete" && Delete && <Delete view={stored} onDone={leave} onClose={close} />}
      {opened === "delete" && !Delete && dialogs && (
        <dialogs.DeleteItem of={of} view={stored} onClose={close} />
      )}
    </>
  );
}

function LoadedEditor<View extends object, S extends FieldSource, C>(
  props: Of<View, S, C> & { stored: View; refresh: () => Promise<void> },
): JSX.Element {
  const { of, stored } = props;
  // What fields know of the record is of the newest one, also after it was saved.
  const [seen, setSeen] = useState(stored);
  const context = of.useContext?.(seen);
  if (of.useContext !== undefined && context === undefined)
    return <p class="empty">{text("page.loading")}</p>;
  // Without `useContext` the context is undefined by its type.
  const all = { ...props, context: context as C };
  return of.Body === undefined ? <EditorPage {...all} onSeen={setSeen} /> : <Details {...all} />;
}

/** The section with one in its address. */
export function ResourcePage<View extends object, S extends FieldSource, C>({
  of,
  id,
}: Of<View, S, C> & { id: string }): JSX.Element {
  const loaded = usePolled<View>(toItemPath(of, id), of.pollMs ?? 0);
  const { status } = loaded.error ?? {};
  const unknown = status === 404 || status === 422 ? findText(`${of.texts}.unknown`) : undefined;
  if (unknown !== undefined) return <p class="empty">{unknown}</p>;
  return (
    <>
      <Crumbs to={toAddress(of)} label={of.crumb ?? of.navigation} />
      <Loaded of={loaded}>{(data) => <LoadedEditor of={of} stored={data} refresh={loaded.refresh} />}</Loaded>
    </>
  );
}

function NewForm<View extends object, S extends FieldSource, C>({
  of,
  context,
}: Of<View, S, C> & { context: C }): JSX.Element {
  const { form: own, action, initial } = of.creation === false ? {} : (of.creation ?? {});
  const form: MadeForm<C> = own ?? makeForm(of);
  const [blank] = useState<Form>(() => ({ ...toBlank(form), ...initial?.(context) }));
  const [typed, setTyped] = useState(blank);
  const [isLeaving, leaveFor] = useLeaving();
  const task = useTask();
  const root = useRef<HTMLFormElement>(null);
  async function submit(): Promise<void> {
    const parsed = readForm(form, typed, { context });
    if (!parsed.ok) task.refuse(sayFaults(parsed.faults));
    else {
      const isDone = await task.run(async () => {
        const made = await sendNew(of, parsed.fields);
        leaveFor(toAddress(of, of.idOf(made)));
      });
      if (isDone) return;
    }
    focusFirstError(root.current);
  }
  return (
    <>
      <form
        ref={root}
        class="stack"
        noValidate
        aria-label={pageText(of, "add")}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TaskNote task={task} pointers={form.pointers} />
        <FormFields
          form={form}
          context={context}
          part={{
            form: typed,
            errors: task.errors,
            onChange: (change) => setTyped((now) => toNext(now, change)),
          }}
        />
        <div class="button-row">
          <Button kind="primary" type="submit" disabled={task.busy}>
            {action === undefined
              ? (findText(`${of.texts}.make`) ?? pageText(of, "add"))
              : text(action(typed))}
          </Button>
          <a class="button quiet" href={toAddress(of)}>
            {text("control.cancel")}
          </a>
        </div>
      </form>
      <UnsavedGuard dirty={!isLeaving && !isSame(typed, blank)} />
    </>
  );
}

/** The section with "new" in its address. */
export function NewResourcePage<View extends object, S extends FieldSource, C>({
  of,
}: Of<View, S, C>): JSX.Element {
  const context = of.useContext?.();
  const { title, Actions } = of.creation === false ? {} : (of.creation ?? {});
  return (
    <OnlyWith scope={of.write}>
      <Crumbs to={toAddress(of)} label={of.crumb ?? of.navigation} />
      <PageHead
        title={title ?? findText(`${of.texts}.new`) ?? pageText(of, "add")}
        hint={findText(`${of.texts}.new.hint`)}
      >
        {Actions && <Actions />}
      </PageHead>
      {of.useContext !== undefined && context === undefined ? (
        <p class="empty">{text("page.loading")}</p>
      ) : (
        // Without `useContext` the context is undefined by its type.
        <NewForm of={of} context={context as C} />
      )}
    </OnlyWith>
  );
}
