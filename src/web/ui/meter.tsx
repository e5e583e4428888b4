/** A percentage as a bar with its number. */
import type { ComponentChildren, JSX } from "preact";
import { toPercent, UNKNOWN } from "../app/format.ts";
import { toUrgency } from "./urgency.ts";

/** The bar alone; not for screen readers, which read the number beside it. */
export function Bar({ percent }: { percent: number | undefined }): JSX.Element {
  return (
    <span class={`bar is-${percent === undefined ? "none" : toUrgency(percent)}`} aria-hidden="true">
      <span class="bar-fill" style={{ inlineSize: `${Math.min(100, Math.max(0, percent ?? 0))}%` }} />
    </span>
  );
}

/** A name, its percentage, and the bar below; `part` says of what it is, `detail` is shown as a tip. */
export function Meter(props: {
  label: ComponentChildren;
  percent: number | undefined;
  part?: string | undefined;
  detail?: string | undefined;
}): JSX.Element {
  const { label, percent, part, detail } = props;
  return (
    <span class={`meter ${part === undefined ? "" : "has-part"}`} title={detail}>
      <span class="meter-label">
        {label}
        {part !== undefined && <span class="meter-part"> {part}</span>}
      </span>
      <span class="meter-value">{percent === undefined ? UNKNOWN : toPercent(percent)}</span>
      <Bar percent={percent} />
    </span>
  );
}
