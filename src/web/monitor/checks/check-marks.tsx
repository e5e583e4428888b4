/** Small parts of the pages of checks: states by shape, colour and word, kinds, the way back. */
import type { JSX } from "preact";
import type { CheckKind, CheckState } from "../../../monitor/checks/schema.ts";
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
      {text(`admin.check.state.${state}`)}
    </span>
  );
}

/** What kind it is. */
export function KindMark({ kind }: { kind: CheckKind }): JSX.Element {
  return <>{text(`admin.check.kind.${kind}`)}</>;
}
