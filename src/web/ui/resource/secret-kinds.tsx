/** Kinds of fields for what is not shown again: secrets, and names with secret values. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import { Button, Checkbox, IconButton, TextField } from "../controls.tsx";
import { SecretInput, SecretTextField } from "../console/field-kinds.tsx";
import {
  type Kind,
  type Read,
  type Shown,
  type Typed,
  isTypedGroup,
  isTypedList,
  memberText,
} from "./kind.ts";
import { sayPlain } from "./kinds.tsx";

/**
 * A secret that is never shown again. What is stored is its masked form, or true where the service does not say even
 * that. Nothing typed keeps it; where it may be absent, it can be removed, which sends "".
 */
export function secretKind<C>(json: FieldJson): Kind<C> {
  return {
    blank: { typed: "", kept: "", removed: false },
    toTyped: (value) => ({
      typed: "",
      kept: value === true ? "••••••••" : typeof value === "string" ? value : "",
      removed: false,
    }),
    read: (typed) => {
      if (isTypedGroup(typed) && typed["removed"] === true) return { value: "" };
      const value = memberText(typed, "typed").trim();
      if (value !== "") return { value };
      const mayLack = json.required !== true || memberText(typed, "kept") !== "";
      return mayLack ? { value: undefined } : { fault: json.missing ?? "admin.fault.missing" };
    },
    Field: ({ label, hint, error, value, onChange }) => {
      const [typed, kept] = [memberText(value, "typed"), memberText(value, "kept")];
      const removed = isTypedGroup(value) && value["removed"] === true;
      const stored = kept === "" ? undefined : text("admin.channel.secret.kept", { hint: kept });
      const shared = {
        label,
        hint: [stored, hint].filter((part) => part !== undefined).join(" ") || undefined,
        placeholder: kept === "" ? undefined : kept,
        value: typed,
        error,
        onInput: (next: string) => onChange({ typed: next, kept, removed }),
      };
      return (
        <>
          {json.long ? <TextField {...shared} long autoComplete="off" /> : <SecretTextField {...shared} />}
          {kept !== "" && json.required !== true && (
            <Checkbox
              label={text("admin.channel.secret.remove")}
              checked={removed}
              onChange={(remove) => onChange({ typed, kept, removed: remove })}
            />
          )}
        </>
      );
    },
    say: (value) => (value === undefined || value === "" ? text("admin.value.none") : "••••••••"),
  };
}

function toPairs(value: unknown, { secret, listed }: FieldJson): readonly Typed[] {
  if (listed === true)
    return (Array.isArray(value) ? value : []).map(
      (row: { readonly name: string; readonly value?: string }) => ({
        name: row.name,
        value: row.value ?? "",
        kept: row.value === undefined ? text("admin.pairs.kept") : "",
      }),
    );
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.map(([name, stored]) =>
    secret ? { name, value: "", kept: String(stored) } : { name, value: String(stored), kept: "" },
  );
}

function PairFields<C>(props: Shown<C> & { json: FieldJson }) {
  const { label, hint, error, value, words, onChange, json } = props;
  const { secret = false, max = Infinity } = json;
  const say = (part: "name" | "value" | "remove", number: number): string =>
    findText(`${words}.${part}`, { number }) ?? text(`admin.channel.header.${part}`, { number });
  const lines = isTypedList(value) ? value : [];
  const change = (at: number, part: { readonly [name: string]: Typed }): void =>
    onChange(lines.map((line, index) => (index === at && isTypedGroup(line) ? { ...line, ...part } : line)));
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{label}</legend>
      {hint && <span class="field-hint">{hint}</span>}
      {lines.map((line, index) => {
        const kept = memberText(line, "kept");
        const number = index + 1;
        const shared = {
          value: memberText(line, "value"),
          placeholder: kept === "" ? undefined : kept,
        };
        return (
          <div class="header-line" key={index}>
            <input
              type="text"
              aria-label={say("name", number)}
              placeholder={secret ? "Authorization" : undefined}
              value={memberText(line, "name")}
              aria-invalid={error !== undefined && memberText(line, "name").trim() === "" ? true : undefined}
              autoComplete="off"
              spellcheck={false}
              readOnly={kept !== ""}
              onInput={(event) => change(index, { name: event.currentTarget.value })}
            />
            {secret ? (
              <SecretInput
                label={say("value", number)}
                {...shared}
                onInput={(next) => change(index, { value: next })}
              />
            ) : (
              <input
                type="text"
                aria-label={say("value", number)}
                {...shared}
                onInput={(event) => change(index, { value: event.currentTarget.value })}
              />
            )}
            <IconButton
              icon="trash"
              label={say("remove", number)}
              onClick={() => onChange(lines.filter((_, other) => other !== index))}
            />
          </div>
        );
      })}
      {error && <p class="field-error">{error}</p>}
      <div class="button-row">
        <Button
          small
          icon="plus"
          disabled={lines.length >= max}
          onClick={() => onChange([...lines, { name: "", value: "", kept: "" }])}
        >
          {findText(`${words}.add`) ?? text("admin.channel.header.add")}
        </Button>
      </div>
    </fieldset>
  );
}

/** The value of a line; undefined for a stored one without a new value. */
function toValue(line: Typed): string | undefined {
  const value = memberText(line, "value");
  return value === "" && memberText(line, "kept") !== "" ? undefined : value;
}

function readList(typed: readonly Typed[]): Read {
  const lines = typed.filter((line) => memberText(line, "name").trim() !== "" || toValue(line) !== "");
  if (lines.some((line) => memberText(line, "name").trim() === "")) return { fault: "admin.fault.name" };
  return {
    value: lines.map((line) => {
      const value = toValue(line);
      return { name: memberText(line, "name").trim(), ...(value !== undefined && { value }) };
    }),
  };
}

/** Names with a value each. Secret values that are stored come back as null, which keeps them; in a list, without. */
export function pairsKind<C>(json: FieldJson): Kind<C> {
  const { secret = false, listed = false } = json;
  return {
    blank: [],
    toTyped: (value) => toPairs(value, json),
    read: (typed) => {
      const lines = isTypedList(typed) ? typed : [];
      if (listed) return readList(lines);
      const named = lines.filter((line) => memberText(line, "name").trim() !== "");
      return {
        value: Object.fromEntries(
          named.map((line) => [memberText(line, "name").trim(), toValue(line) ?? null]),
        ),
      };
    },
    Field: (props) => <PairFields {...props} json={json} />,
    say: (value) => {
      if (!secret || typeof value !== "object" || value === null) return sayPlain(value);
      return sayPlain(
        Array.isArray(value) ? value.map(({ name }: { readonly name: string }) => name) : Object.keys(value),
      );
    },
  };
}
