/** Fields that the administration needs beside the shared ones: with suggestions, of several words. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { type FieldProps, Field } from "../controls.tsx";
import { Icon } from "../icons.tsx";

type Shared = Omit<FieldProps, "children">;

/** A field for text that proposes what was used before. */
export function SuggestField(
  props: Shared & {
    value: string;
    suggestions: readonly string[];
    maxLength?: number | undefined;
    onInput: (value: string) => void;
  },
): JSX.Element {
  const { label, hint, error, value, suggestions, maxLength, onInput } = props;
  const listId = useId();
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) => (
        <>
          <input
            {...links}
            type="text"
            list={listId}
            autoComplete="off"
            maxLength={maxLength}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <datalist id={listId}>
            {suggestions.map((suggestion) => (
              <option value={suggestion} key={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** The words with what was typed; a comma ends a word. */
function addWords(words: readonly string[], typed: string): readonly string[] {
  const more = typed
    .split(/[,，\n]/u)
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return [...new Set([...words, ...more])];
}

/** A field for several short words: Enter or a comma adds one, Backspace takes the last. */
export function WordsField(
  props: Shared & {
    words: readonly string[];
    suggestions?: readonly string[] | undefined;
    placeholder?: string | undefined;
    onChange: (words: readonly string[]) => void;
  },
): JSX.Element {
  const { label, hint, error, words, suggestions = [], placeholder, onChange } = props;
  const [typed, setTyped] = useState("");
  const listId = useId();
  function commit(value: string): void {
    setTyped("");
    const next = addWords(words, value);
    if (next.length !== words.length) onChange(next);
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) => (
        <div class="words" aria-invalid={links["aria-invalid"]}>
          {words.map((word) => (
            <button
              type="button"
              class="word"
              key={word}
              aria-label={text("admin.words.remove", { word })}
              onClick={() => onChange(words.filter((one) => one !== word))}
            >
              {word}
              <Icon name="close" />
            </button>
          ))}
          <input
            {...links}
            type="text"
            list={listId}
            autoComplete="off"
            placeholder={words.length === 0 ? placeholder : undefined}
            value={typed}
            onInput={(event) => {
              const { value } = event.currentTarget;
              if (/[,，]$/u.test(value)) commit(value);
              else setTyped(value);
            }}
            onBlur={() => commit(typed)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && typed.trim() !== "") {
                event.preventDefault();
                commit(typed);
              } else if (event.key === "Backspace" && typed === "") onChange(words.slice(0, -1));
            }}
          />
          <datalist id={listId}>
            {suggestions
              .filter((suggestion) => !words.includes(suggestion))
              .map((suggestion) => (
                <option value={suggestion} key={suggestion} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}

/** An input for a secret that can be looked at while it is typed; `label` names it in the button. */
export function SecretInput(props: {
  label: string;
  /** Ties it to its field; without it the label is spoken. */
  links?: JSX.HTMLAttributes<HTMLInputElement> | undefined;
  value: string;
  placeholder?: string | undefined;
  onInput: (value: string) => void;
}): JSX.Element {
  const { label, links = { "aria-label": label }, value, placeholder, onInput } = props;
  const [isShown, setIsShown] = useState(false);
  return (
    <span class="secret-field">
      <input
        {...links}
        type={isShown ? "text" : "password"}
        autoComplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <button
        type="button"
        class="button small quiet"
        aria-pressed={isShown}
        aria-label={text(isShown ? "admin.secret.hide.of" : "admin.secret.show.of", { label })}
        onClick={() => setIsShown(!isShown)}
      >
        {text(isShown ? "admin.hide" : "admin.show")}
      </button>
    </span>
  );
}

/** A field for a secret that can be looked at while it is typed. */
export function SecretTextField(
  props: Shared & {
    value: string;
    placeholder?: string | undefined;
    onInput: (value: string) => void;
  },
): JSX.Element {
  const { label, hint, error, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) => <SecretInput {...input} label={label} links={links} />}
    </Field>
  );
}
