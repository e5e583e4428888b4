/** Editing something that others may edit too: what is typed, what is stored, and a save that meets another one. */
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { showToast } from "../controls-toast.tsx";
import { type Versions, isSame } from "../forms/conflict.ts";
import { type Task, useTask } from "./problem.tsx";
import { type Edited, sayFaults } from "../forms/parsed.ts";

/** State of an editor. */
export interface Editor<Stored, Form, Fields> {
  readonly base: Stored;
  readonly form: Form;
  readonly dirty: boolean;
  readonly task: Task;
  readonly conflict: Versions<Fields> | undefined;
  /** Starts again with what is stored now. */
  begin(stored: Stored): void;
  /** The same; what has been typed by then stays. */
  follow(stored: Stored): void;
  change(change: Partial<Form>): void;
  revert(): void;
  /** Saves; resolves with whether every field was good. */
  save(): Promise<boolean>;
  resolve(fields: Fields): Promise<void>;
  giveUp(): void;
}

/** Services say it with 409 for a version in the body, with 412 for one in If-Match. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && ["version_conflict", "stale_version"].includes(error.code);
}

/** An editor that begins with `initial`. */
export function useEditor<Stored, Form, Fields>(
  initial: Stored,
  { pick, toForm, parse, send, reload }: Edited<Stored, Form, Fields>,
): Editor<Stored, Form, Fields> {
  const [base, setBase] = useState(initial);
  const [form, setForm] = useState(() => toForm(pick(initial)));
  const [conflict, setConflict] = useState<Versions<Fields> & { readonly stored: Stored }>();
  const task = useTask();
  const dirty = !isSame(form, toForm(pick(base)));
  // As it is when an answer comes, and not as it was when it was asked for.
  const latest = useRef(dirty);
  latest.current = dirty;
  function begin(next: Stored): void {
    setBase(next);
    setForm(toForm(pick(next)));
    setConflict(undefined);
  }
  async function store(from: Stored, fields: Fields): Promise<void> {
    try {
      begin(await send(from, fields));
      showToast(text("admin.saved"));
    } catch (error) {
      if (!isConflict(error)) throw error;
      const stored = await reload(base);
      // Only what the form does not show has changed, such as a picture: there is nothing to ask.
      if (isSame(pick(stored), pick(from))) return store(stored, fields);
      setConflict({ base: pick(base), mine: fields, theirs: pick(stored), stored });
    }
  }
  return {
    base,
    form,
    dirty,
    task,
    conflict,
    begin,
    follow: (next) => {
      if (!latest.current) begin(next);
      // Only what the form does not show has changed: what was typed is a change of that.
      else if (isSame(pick(next), pick(base))) setBase(next);
    },
    change: (change) => {
      // Before the next render: effects of the one before run first in it, and must not follow over what was typed.
      latest.current = true;
      setForm((before) => ({ ...before, ...change }));
    },
    revert: () => {
      begin(base);
      task.clear();
    },
    save: async () => {
      const parsed = parse(form, pick(base));
      if (parsed.ok) return task.run(() => store(base, parsed.fields));
      task.refuse(sayFaults(parsed.faults));
      return false;
    },
    resolve: async (fields) => {
      if (conflict !== undefined) await task.run(() => store(conflict.stored, fields));
    },
    giveUp: () => setConflict(undefined),
  };
}
