/** The status of a withdrawal in words and colors. */
import type { JSX } from "preact";
import { text } from "../../../app/texts.ts";
import { Badge } from "../../../ui/console/pieces.tsx";
import type { WithdrawalState } from "../../../../shop/withdrawals/schema.ts";

const kinds = {
  received: "warn",
  accepted: "warn",
  returned: "warn",
  closed: "good",
  declined: "idle",
} as const;

/** The state, and that its money is overdue. */
export function WithdrawalMark(props: { state: WithdrawalState; isOverdue: boolean }): JSX.Element {
  const { state, isOverdue } = props;
  return (
    <span class="marks">
      <Badge kind={kinds[state]}>{text(`shop.withdrawals.state.${state}`)}</Badge>
      {isOverdue && (
        <Badge kind="bad" icon="alert">
          {text("shop.withdrawals.overdue")}
        </Badge>
      )}
    </span>
  );
}
