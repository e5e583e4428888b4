/** @jsxImportSource hono/jsx */
/** Something to take over elsewhere: shown whole; where scripts run, with a button that copies it. */
import type { Texts } from "../texts.ts";

interface CopyableProps {
  readonly text: string;
  readonly t: Texts;
  readonly label: string;
}

/** A text; the script of these pages puts the button to it. */
export function Copyable({ text, t, label }: CopyableProps) {
  return (
    <span
      class={text.includes("\n") ? "copyable is-long" : "copyable"}
      data-copy={text}
      data-word={t("copy.copy")}
      data-done={t("copy.done")}
      data-label={label}
    >
      <code class="copyable-text">{text}</code>
    </span>
  );
}
