/** Pieces that the sections of the administration share: heads, groups of fields, texts to copy, states. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { toMoment, toSpan } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { showToast } from "../controls-toast.tsx";
import { type IconName, Icon } from "../icons.tsx";
import type { Polled } from "./polled.ts";
import { ErrorNote } from "./problem.tsx";
import { toMessage } from "../forms/fault-words.ts";

/** The title of a section, and what can be done with all of it. */
export function PageHead(props: {
  title: ComponentChildren;
  hint?: string | undefined;
  children?: ComponentChildren;
}): JSX.Element {
  const { title, hint, children } = props;
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {hint && <p class="field-hint">{hint}</p>}
      </div>
      {children && <div class="page-head-actions">{children}</div>}
    </div>
  );
}

/** The state of an answer that a page waits for, and `children` of the answer once it is there; an answer is kept when a later request fails. */
export function Loaded<T>(props: { of: Polled<T>; children?: (data: T) => ComponentChildren }): JSX.Element {
  const { of, children } = props;
  const { data, error, refresh } = of;
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data !== undefined && children?.(data)}
    </>
  );
}

/** The way back to the list that a page belongs to. */
export function Crumbs({ to, label }: { to: string; label: TextName }): JSX.Element {
  return (
    <p class="crumbs">
      <a href={to}>{text(label)}</a>
    </p>
  );
}

/** Fields that belong together, on a panel with a title. */
export function FieldGroup(props: {
  title: string;
  hint?: string | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { title, hint, children } = props;
  return (
    <fieldset class="admin-panel field-group">
      <legend>{title}</legend>
      {hint && <p class="field-hint">{hint}</p>}
      {children}
    </fieldset>
  );
}

/** A text that is to be copied, with a button that does it. */
export function CopyBox({ label, value }: { label: string; value: string }): JSX.Element {
  const [box, setBox] = useState<HTMLElement | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      showToast(text("admin.copied"));
      return;
    } catch {
      // No clipboard without https: the text is marked, so that the keyboard's copy takes it.
      if (box !== null) getSelection()?.selectAllChildren(box);
    }
  }
  const [done, setDone] = useState(false);
  return (
    <div class="copy-box">
      <code ref={setBox} tabIndex={0} role="textbox" aria-readonly="true" aria-label={label}>
        {value}
      </code>
      <Button
        icon={done ? "check" : "copy"}
        onClick={() => {
          void copy();
          setDone(true);
          setTimeout(() => setDone(false), 2_000);
        }}
      >
        {text(done ? "admin.copied" : "admin.copy")}
      </Button>
    </div>
  );
}

export type BadgeKind = "idle" | "good" | "warn" | "bad";

/** A word in a coloured box. */
export function Badge(props: {
  children: ComponentChildren;
  kind?: BadgeKind | undefined;
  icon?: IconName | undefined;
  title?: string | undefined;
}): JSX.Element {
  const { children, kind = "idle", icon, title } = props;
  return (
    <span class={`badge is-${kind}`} title={title}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** Epoch milliseconds, or a time as answers have it. */
type Time = number | string;

function toMs(time: Time): number {
  return typeof time === "number" ? time : Date.parse(time);
}

/** How long ago a moment was; the moment itself as a tip. */
export function Ago({ at: given }: { at: Time | undefined }): JSX.Element {
  if (given === undefined) return <span>–</span>;
  const at = toMs(given);
  const span = toSpan(Math.max(0, second.value - at));
  return (
    <time dateTime={new Date(at).toISOString()} title={toMoment(at)}>
      {text("admin.ago", { span })}
    </time>
  );
}

/** A moment in the reader's zone. */
export function Moment({ at: given }: { at: Time }): JSX.Element {
  const at = toMs(given);
  return <time dateTime={new Date(at).toISOString()}>{toMoment(at)}</time>;
}
