/** @jsxImportSource hono/jsx */
/** Forms that need no script: fields with label, hint and fault, and a summary of faults that takes the focus. */
import type { Child } from "hono/jsx";
import type { Fault, FormState } from "./faults.ts";

type Html = ReturnType<typeof FormFaults>;

interface FormProps {
  readonly action: string;
  /** For browsers that do not say which site sent a form. */
  readonly token: string;
  readonly children: Child;
  readonly class?: string;
  readonly upload?: boolean;
  readonly label?: string;
  /** Where its sender goes on to. */
  readonly next?: string;
}

/** A form that is sent by POST. */
export function Form({ action, token, children, class: className, upload, label, next }: FormProps): Html {
  return (
    <form
      method="post"
      action={action}
      class={className ?? "stack"}
      enctype={upload === true ? "multipart/form-data" : undefined}
      aria-label={label}
      novalidate
    >
      <input type="hidden" name="form" value={token} />
      {next === undefined ? <></> : <input type="hidden" name="rd" value={next} />}
      {children}
    </form>
  );
}

/** The faults of a form, before it: has the focus when the page opens. */
export function FormFaults({ title, faults }: { readonly title: string; readonly faults: readonly Fault[] }) {
  if (faults.length === 0) return <></>;
  return (
    <div class="faults" role="alert" tabindex={-1} autofocus>
      <strong>{title}</strong>
      <ul>
        {faults.map(({ field, text }) => (
          <li>{field === undefined ? text : <a href={`#field-${field}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly type?: "text" | "email" | "password" | "url" | "search" | "date";
  /** A token of WCAG 1.3.5. */
  readonly autocomplete?: string;
  readonly hint?: string;
  /** Value before the user types. */
  readonly value?: string;
  readonly inputmode?: "numeric" | "email" | "url";
  readonly required?: boolean;
  /** Shown at the other end of the label's line. */
  readonly beside?: Child;
  /** Turns several lines on. */
  readonly rows?: number;
  /** Where several forms of a page have the same field. */
  readonly id?: string;
}

/** Ids of what describes a field. */
function listDescriptions(id: string, parts: { hint: boolean; fault: boolean }): string | undefined {
  const ids = [parts.hint ? `${id}-hint` : "", parts.fault ? `${id}-fault` : ""].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(" ");
}

function FieldHint({ id, hint }: { readonly id: string; readonly hint: string | undefined }): Html {
  if (hint === undefined) return <></>;
  return (
    <p class="field-hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
}

function FieldFault({ id, fault }: { readonly id: string; readonly fault: Fault | undefined }): Html {
  if (fault === undefined) return <></>;
  const { text, answer } = fault;
  return (
    <>
      <p class="field-error" id={`${id}-fault`}>
        {text}
      </p>
      {answer === undefined ? (
        <></>
      ) : (
        <button class="button" type="submit" name="do" value={answer.value}>
          {answer.text}
        </button>
      )}
    </>
  );
}

/** A field of one or several lines. Passwords are never written back. */
export function Field(props: FieldProps): Html {
  const { name, label, state, type = "text", autocomplete, hint, inputmode, required = false, rows } = props;
  const id = props.id ?? `field-${name}`;
  const fault = state.faults.find(({ field }) => field === name);
  const value = type === "password" ? undefined : (state.values[name] ?? props.value);
  const common = {
    id,
    name,
    autocomplete,
    required,
    "aria-invalid": fault === undefined ? undefined : ("true" as const),
    "aria-describedby": listDescriptions(id, { hint: hint !== undefined, fault: fault !== undefined }),
  };
  return (
    <div class="field">
      <div class="row">
        <label class="field-label" for={id}>
          {label}
        </label>
        {props.beside === undefined ? <></> : <span class="push small">{props.beside}</span>}
      </div>
      <FieldHint id={id} hint={hint} />
      {rows === undefined ? (
        <input
          {...common}
          type={type}
          value={value}
          inputmode={inputmode}
          autocapitalize={type === "text" ? "none" : undefined}
          spellcheck={false}
        />
      ) : (
        <textarea {...common} rows={rows}>
          {value}
        </textarea>
      )}
      <FieldFault id={id} fault={fault} />
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly hint?: string;
  /** A token of WCAG 1.3.5. */
  readonly autocomplete?: string;
  /** Whether the page is another one with another value: a script asks for it at once. */
  readonly updates?: boolean;
}

/** One of several values. */
export function Choice(props: ChoiceProps): Html {
  const { name, label, state, options, value, hint, autocomplete, updates = false } = props;
  const id = `field-${name}`;
  const fault = state.faults.find(({ field }) => field === name);
  const chosen = state.values[name] ?? value;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      <select
        id={id}
        name={name}
        autocomplete={autocomplete}
        data-update={updates ? "" : undefined}
        aria-invalid={fault === undefined ? undefined : "true"}
        aria-describedby={listDescriptions(id, { hint: hint !== undefined, fault: fault !== undefined })}
      >
        {options.map((option) => (
          <option value={option.value} selected={option.value === chosen}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldFault id={id} fault={fault} />
    </div>
  );
}

interface TickProps {
  readonly name: string;
  readonly label: Child;
  readonly state: FormState;
  readonly checked?: boolean;
  readonly hint?: string;
}

export function Tick({ name, label, state, checked = false, hint }: TickProps): Html {
  const id = `field-${name}`;
  const fault = state.faults.find(({ field }) => field === name);
  const isChecked = state.action === undefined ? checked : state.values[name] !== undefined;
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={isChecked}
          aria-invalid={fault === undefined ? undefined : "true"}
          aria-describedby={listDescriptions(id, { hint: hint !== undefined, fault: fault !== undefined })}
        />
        <span>{label}</span>
      </label>
      <FieldHint id={id} hint={hint} />
      <FieldFault id={id} fault={fault} />
    </div>
  );
}
