/** @jsxImportSource hono/jsx */
/** Something to take over elsewhere: shown whole, with a button that copies it where scripts run. */
import type { Texts } from "../texts.ts";

/** A text with its button. */
export function Copyable({
  text,
  t,
  label,
}: {
  readonly text: string;
  readonly t: Texts;
  readonly label: string;
}) {
  const isLong = text.includes("\n");
  return (
    <span class={isLong ? "copyable is-long" : "copyable"}>
      <code class="copyable-text">{text}</code>
      <button
        class="button no-print"
        type="button"
        data-copy={text}
        data-done={t("copy.done")}
        aria-label={`${t("copy.copy")}: ${label}`}
        hidden
      >
        {t("copy.copy")}
      </button>
    </span>
  );
}
