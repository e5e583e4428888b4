/** The kind of field for a long text in Markdown, with what buyers will see of it. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { type Kind, toText } from "../../ui/resource/kind.ts";
import { textKind } from "../../ui/resource/kinds.tsx";
import { lazy } from "../../pages/lazy.tsx";

const MarkdownField = lazy(async () => (await import("../ui/markdown-field.tsx")).MarkdownField, null);

export function markdownKind<C>(json: FieldJson): Kind<C> {
  return {
    ...textKind<C>(json),
    Field: ({ label, error, value, onChange }) => (
      <MarkdownField
        label={label}
        error={error}
        maxLength={json.max}
        value={toText(value)}
        onInput={onChange}
      />
    ),
  };
}
