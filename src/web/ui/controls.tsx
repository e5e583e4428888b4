/** Buttons and what is filled in. */
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { type IconName, Icon } from "./icons.tsx";

export type ButtonKind = "plain" | "primary" | "quiet" | "danger";

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind | undefined;
  readonly icon?: IconName | undefined;
  readonly small?: boolean | undefined;
  readonly type?: "button" | "submit" | undefined;
  readonly disabled?: boolean | undefined;
  readonly onClick?: (() => void) | undefined;
}

/** A button with words. */
export function Button(props: ButtonProps): JSX.Element {
  const { children, kind = "plain", icon, small = false, type = "button", disabled, onClick } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${small ? " small" : ""}`}
      disabled={disabled}
      onClick={onClick && (() => onClick())}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly kind?: ButtonKind | undefined;
  readonly small?: boolean | undefined;
  readonly pressed?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly onClick: () => void;
}

/** A button with a drawing alone. */
export function IconButton(props: IconButtonProps): JSX.Element {
  const { icon, label, kind = "quiet", small = false, pressed, disabled, onClick } = props;
  return (
    <button
      type="button"
      class={`button icon-only ${kind}${small ? " small" : ""}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => onClick()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Attributes that link a control to its field. */
export interface FieldLinks {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Error of the value, shown below it. */
  readonly error?: string | undefined;
  readonly children: (links: FieldLinks) => ComponentChildren;
}

/** A label, its control, a hint, and what is wrong. */
export function Field({ label, hint, error, children }: FieldProps): JSX.Element {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {hint && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="field-error" id={`${id}-error`}>
          <Icon name="alert" />
          {error}
        </span>
      )}
    </div>
  );
}

export interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?:
    | "text"
    | "password"
    | "number"
    | "url"
    | "email"
    | "date"
    | "datetime-local"
    | "time"
    | undefined;
  /** More than one line. */
  readonly long?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
  readonly maxLength?: number | undefined;
  readonly autoComplete?: string | undefined;
  readonly inputMode?: "text" | "numeric" | "decimal" | undefined;
}

/** A field for text. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { label, hint, error, onInput, long = false, type = "text", ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) =>
        long ? (
          <textarea {...links} {...rest} onInput={(event) => onInput(event.currentTarget.value)} />
        ) : (
          <input {...links} {...rest} type={type} onInput={(event) => onInput(event.currentTarget.value)} />
        )
      }
    </Field>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Language of the label when it is not the page's. */
  readonly lang?: string | undefined;
}

export interface SelectProps<T extends string> {
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  /** The name of the control where no label is tied to it. */
  readonly label?: string | undefined;
  readonly links?: FieldLinks | undefined;
  readonly disabled?: boolean | undefined;
  /** Shows this drawing alone, for narrow bars. */
  readonly icon?: IconName | undefined;
}

/** A choice of one; the browser's own list. */
export function Select<T extends string>(props: SelectProps<T>): JSX.Element {
  const { value, choices, onChange, label, links, disabled, icon } = props;
  return (
    <span class={icon ? "icon-select" : "select"} title={icon && label}>
      {icon && <Icon name={icon} />}
      <select
        {...links}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {choices.map((choice) => (
          <option value={choice.value} key={choice.value} lang={choice.lang}>
            {choice.label}
          </option>
        ))}
      </select>
      {!icon && <Icon name="down" />}
    </span>
  );
}

/** A choice of one with its label. */
export function SelectField<T extends string>(
  props: Omit<FieldProps, "children"> & Omit<SelectProps<T>, "links" | "label" | "icon">,
): JSX.Element {
  const { label, hint, error, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) => <Select {...rest} links={links} />}
    </Field>
  );
}

/** Yes or no. */
export function Checkbox(props: {
  label: ComponentChildren;
  checked: boolean;
  disabled?: boolean | undefined;
  onChange: (checked: boolean) => void;
}): JSX.Element {
  const { label, checked, disabled, onChange } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** On or off, at once, for what works or rests as a whole. */
export function Switch(props: {
  label: string;
  checked: boolean;
  disabled?: boolean | undefined;
  onChange: (checked: boolean) => void;
}): JSX.Element {
  const { label, checked, disabled, onChange } = props;
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** A filter that is on or off, with how many it stands for. */
export function Chip(props: {
  children: ComponentChildren;
  pressed: boolean;
  count?: number | undefined;
  onClick: () => void;
}): JSX.Element {
  const { children, pressed, count, onClick } = props;
  return (
    <button type="button" class="chip" aria-pressed={pressed} onClick={() => onClick()}>
      {children}
      {count !== undefined && <span class="chip-count">{count}</span>}
    </button>
  );
}

/** A choice of one among a few, all in sight. */
export function Segments<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly (Choice<T> & { icon?: IconName | undefined })[];
  onChange: (value: T) => void;
}): JSX.Element {
  const { label, value, choices, onChange } = props;
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          aria-pressed={choice.value === value}
          aria-label={choice.icon && choice.label}
          title={choice.icon && choice.label}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon ? <Icon name={choice.icon} /> : choice.label}
        </button>
      ))}
    </div>
  );
}
