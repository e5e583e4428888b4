/** How many alerts are open, in the header of who administers. */
import type { JSX } from "preact";
import { fleet } from "../app/fleet.ts";
import { countText, text } from "../app/texts.ts";
import { Icon } from "./icons.tsx";

/** The bell with its count; nothing for strangers. */
export function AlertBell(): JSX.Element | null {
  const { alerts } = fleet.value;
  if (alerts === undefined) return null;
  const { critical, warning, info } = alerts;
  const open = critical + warning + info;
  const words = open === 0 ? text("header.noAlerts") : countText("header.alerts", open);
  return (
    <a
      class={`button quiet alert-bell ${critical > 0 ? "has-critical" : ""}`}
      href="/admin/alerts"
      title={words}
    >
      <Icon name="bell" />
      {open > 0 && (
        <span class={`alert-count ${open === critical ? "is-same" : ""}`} aria-hidden="true">
          {open}
        </span>
      )}
      <span class="for-readers">{words} </span>
      {critical > 0 && <span class="alert-word">{countText("header.critical", critical)}</span>}
    </a>
  );
}
