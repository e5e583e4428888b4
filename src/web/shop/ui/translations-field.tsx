/** Words in the other languages of the site, beside those of the first one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { currentLanguage, text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import type { TypedTranslations } from "../../ui/forms/translations.ts";

/** One of the words: its name in the record, its label, whether it has several lines. */
export interface TranslatedWord {
  readonly name: string;
  readonly label: string;
  readonly long?: boolean;
  readonly maxLength: number;
}

/** The name of a language in the reader's own. */
export function toLanguageName(tag: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag; // half typed
  }
}

function isTag(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u.test(tag);
}

function AddLanguage({ onAdd }: { onAdd: (tag: string) => void }): JSX.Element {
  const [tag, setTag] = useState("");
  return (
    <div class="add-line">
      <TextField
        label={text("shop.ui.language.add")}
        placeholder={text("shop.ui.language.example")}
        value={tag}
        autoComplete="off"
        onInput={setTag}
      />
      <Button
        disabled={!isTag(tag.trim())}
        onClick={() => {
          onAdd(tag.trim());
          setTag("");
        }}
      >
        {text("shop.ui.add")}
      </Button>
    </div>
  );
}

/** A column per language except the first of `languages`, whose texts are in the fields above. */
export function TranslationsField(props: {
  /** Of the site; the first one is that of the record's own words. */
  languages: readonly string[];
  words: readonly TranslatedWord[];
  /** The record's own words, shown where a translation is empty. */
  own: Readonly<Record<string, string>>;
  value: TypedTranslations;
  /** Errors by JSON Pointer within the translations: "/de/title". */
  errorAt: (pointer: string) => string | undefined;
  onChange: (value: TypedTranslations) => void;
}): JSX.Element {
  const { languages, words, own, value, errorAt, onChange } = props;
  const shown = [...new Set([...languages.slice(1), ...Object.keys(value)])];
  return (
    <>
      <div class="translation-columns">
        {shown.map((language) => (
          <fieldset class="plain-fieldset stack-small" key={language}>
            <legend>
              <strong>{toLanguageName(language)}</strong>
            </legend>
            {words.map(({ name, label, long, maxLength }) => (
              <TextField
                key={name}
                label={label}
                long={long}
                maxLength={maxLength}
                placeholder={own[name]?.slice(0, 120)}
                value={value[language]?.[name] ?? ""}
                error={errorAt(`/${language}/${name}`)}
                onInput={(typed) => onChange({ ...value, [language]: { ...value[language], [name]: typed } })}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <AddLanguage onAdd={(tag) => onChange({ ...value, [tag]: value[tag] ?? {} })} />
    </>
  );
}
