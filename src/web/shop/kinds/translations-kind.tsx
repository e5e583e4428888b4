/** Kinds of fields for the words of a record in the other languages of the site. */
import { type TextName, text } from "../../app/texts.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";
import { type KindOf, type Typed, isTypedGroup, toText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { lazy } from "../../pages/lazy.tsx";

const TranslationsField = lazy(
  async () => (await import("../ui/translations-field.tsx")).TranslationsField,
  null,
);

function toTypedTranslations(typed: Typed): TypedTranslations {
  if (!isTypedGroup(typed)) return {};
  return Object.fromEntries(
    Object.entries(typed).map(([language, words]) => [
      language,
      isTypedGroup(words)
        ? Object.fromEntries(Object.entries(words).map(([name, word]) => [name, toText(word)]))
        : {},
    ]),
  );
}

/** The words of a record in the other languages of the site; `labels` are those of its own fields, by name. */
export function translationsKind<C extends { readonly languages: readonly string[] }>(
  labels: Readonly<Record<string, TextName>>,
): KindOf<C> {
  return ({ fields = {} }) => ({
    blank: {},
    toTyped: (value) =>
      typeof value === "object" && value !== null ? (value as { [name: string]: Typed }) : {},
    read: (typed) => ({ value: toTranslations(toTypedTranslations(typed)) }),
    Field: ({ value, form, context, errorAt, onChange }) => (
      <TranslationsField
        languages={context.languages}
        words={Object.entries(labels).map(([name, label]) => ({
          name,
          label: text(label),
          long: fields[name]?.long === true,
          maxLength: fields[name]?.max ?? 1_000,
        }))}
        own={Object.fromEntries(Object.keys(labels).map((name) => [name, toText(form[name])]))}
        value={toTypedTranslations(value)}
        errorAt={errorAt}
        onChange={onChange}
      />
    ),
    say: sayPlain,
  });
}

/** One text in the other languages of the site, by language. */
export function wordKind<C extends { readonly languages: readonly string[] }>({
  own,
  label,
}: {
  /** The field with the text in the site's first language. */
  readonly own: string;
  readonly label: TextName;
}): KindOf<C> {
  const name = "text";
  return ({ max = 2_000 }) => ({
    blank: {},
    toTyped: (value) =>
      Object.fromEntries(
        Object.entries(typeof value === "object" && value !== null ? value : {}).map(([language, said]) => [
          language,
          { [name]: String(said) },
        ]),
      ),
    read: (typed) => {
      const words = Object.entries(toTypedTranslations(typed)).map(
        ([language, said]) => [language, said[name] ?? ""] as const,
      );
      return { value: Object.fromEntries(words) };
    },
    Field: ({ value, form, context, errorAt, onChange }) => (
      <TranslationsField
        languages={context.languages}
        words={[{ name, label: text(label), long: true, maxLength: max }]}
        own={{ [name]: toText(form[own]) }}
        value={toTypedTranslations(value)}
        errorAt={(pointer) => errorAt(pointer.replace(`/${name}`, ""))}
        onChange={onChange}
      />
    ),
    say: sayPlain,
  });
}
