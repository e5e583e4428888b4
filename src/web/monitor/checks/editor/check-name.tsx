/** The name of a check: while none is typed it follows from the target. */
import { text } from "../../../app/texts.ts";
import { TextField } from "../../../ui/controls.tsx";
import { type Form, type KindOf, toText } from "../../../ui/resource/kind.ts";
import { sayPlain } from "../../../ui/resource/kinds.tsx";

/** A host as it is, or that of a URL; "" while it is incomplete. */
function toHost(typed: string): string {
  const given = typed.trim();
  if (!given.includes("/")) return given;
  try {
    return new URL(given).hostname.replaceAll(/[[\]]/gu, "");
  } catch {
    return ""; // it is not typed to its end
  }
}

/** A name made of a pattern such as "{host}:{port}"; "" while one of the fields is empty. */
export function toDefaultName(pattern: string, form: Form): string {
  let isWhole = true;
  const name = pattern.replaceAll(/\{(\w+)\}/gu, (_all, member: string) => {
    const typed = toText(form[`target/${member}`]);
    const value = member === "url" && !typed.includes("/") ? "" : toHost(typed);
    isWhole &&= value !== "";
    return value;
  });
  return isWhole ? name : "";
}

/** The field that says what a target is, such as "host" or "url"; undefined where none does. */
export function findHostField(pattern: string): string | undefined {
  return /\{(\w+)\}/u.exec(pattern)?.[1];
}

/** The host of what is typed; "" while there is none. */
export function findHost(pattern: string, form: Form): string {
  const field = findHostField(pattern);
  return field === undefined ? "" : toDefaultName(`{${field}}`, form);
}

/** The field. */
export function nameKind<C>(pattern: string): KindOf<C> {
  return ({ max }) => ({
    blank: "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed, { form }) => {
      const name = toText(typed).trim() || toDefaultName(pattern, form).slice(0, max);
      return name === "" ? { fault: "admin.fault.name" } : { value: name };
    },
    Field: ({ label, error, form, value, onChange }) => {
      const name = toText(value) === "" ? toDefaultName(pattern, form) : "";
      return (
        <TextField
          label={label}
          hint={name === "" ? undefined : text("admin.check.name.hint", { name })}
          error={error}
          maxLength={max}
          autoComplete="off"
          value={toText(value)}
          onInput={onChange}
        />
      );
    },
    say: sayPlain,
  });
}
