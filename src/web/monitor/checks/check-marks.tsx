/** Small parts of the pages of checks: states by shape, color and word. */
import type { JSX } from "preact";
import type { CheckState } from "../../../monitor/checks/schema.ts";
import { text } from "../../app/texts.ts";
import { type IconName, Icon } from "../../ui/icons.tsx";

/** States differ in shape too, for those who do not see their colours. */
export const stateIcons: Readonly<Record<CheckState, IconName>> = {
  up: "online",
  down: "offline",
  partial: "alert",
  unknown: "never",
  paused: "disabled",
};

/** Shape and word. */
export function CheckStateBadge({ state }: { state: CheckState }): JSX.Element {
  return (
    <span class={`check-state is-${state}`}>
      <Icon name={stateIcons[state]} />
      {text(`check.state.${state}`)}
    </span>
  );
}
