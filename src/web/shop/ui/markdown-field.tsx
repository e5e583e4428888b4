/** A long text in Markdown, with what buyers will see of it. */
import type { JSX } from "preact";
import type { MarkdownPreview } from "../../../shop/legal/answer-schema.ts";
import { useEffect, useState } from "preact/hooks";
import { trustOwnHtml } from "../../pages/own-html.ts";
import { text } from "../../app/texts.ts";
import { Segments, TextField } from "../../ui/controls.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";

function Preview({ markdown }: { markdown: string }): JSX.Element {
  const [state, setState] = useState<{ html?: string; message?: string }>({});
  useEffect(() => {
    let isGone = false;
    adminRequest<MarkdownPreview>("/api/admin/markdown", { method: "POST", body: { text: markdown } }).then(
      ({ html }) => !isGone && setState({ html }),
      (error: unknown) => !isGone && setState({ message: toMessage(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [markdown]);
  const { html, message } = state;
  if (message !== undefined) return <ErrorNote message={message} />;
  if (html === undefined) return <p class="field-hint">{text("page.loading")}</p>;
  if (html.trim() === "") return <p class="field-hint">{text("shop.ui.markdown.empty")}</p>;
  // The shop made it from Markdown, in which HTML is shown as text.
  return <div class="markdown-preview" dangerouslySetInnerHTML={{ __html: trustOwnHtml(html) }} />;
}

/** The field. */
export function MarkdownField(props: {
  label: string;
  value: string;
  error?: string | undefined;
  maxLength: number | undefined;
  onInput: (value: string) => void;
}): JSX.Element {
  const { label, value, error, maxLength, onInput } = props;
  const [side, setSide] = useState<"write" | "look">("write");
  return (
    <div class="stack-small markdown-field">
      <Segments
        label={text("shop.ui.markdown.of", { field: label })}
        value={side}
        choices={[
          { value: "write", label: text("shop.ui.markdown.write") },
          { value: "look", label: text("shop.ui.markdown.look") },
        ]}
        onChange={setSide}
      />
      {side === "write" ? (
        <TextField
          label={label}
          hint={text("shop.ui.markdown.hint")}
          long
          value={value}
          error={error}
          maxLength={maxLength}
          onInput={onInput}
        />
      ) : (
        <section aria-label={text("shop.ui.markdown.look")}>
          <Preview markdown={value} />
        </section>
      )}
    </div>
  );
}
