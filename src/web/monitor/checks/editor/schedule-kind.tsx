/** When a heartbeat is due: again and again, or as an expression says, with the times that come of it. */
import { lazy } from "../../../pages/lazy.tsx";
import { everyKind } from "../../../ui/resource/every-kind.ts";
import { groupKind } from "../../../ui/resource/group-kinds.tsx";
import { type KindOf, memberText } from "../../../ui/resource/kind.ts";
import { choiceKind } from "../../../ui/resource/kinds.tsx";

const CronHint = lazy(async () => (await import("./cron-hint.tsx")).CronHint, null);

/** The types with an expression, and the field that holds it. */
const typed = [
  { type: "cron", member: "expression" },
  { type: "onCalendar", member: "calendar" },
] as const;

const labeledChoice: KindOf<unknown> = (json) => {
  const kind = choiceKind({ as: "segments" })(json);
  return {
    ...kind,
    Field: (props) => (
      <div class="field">
        <span class="field-label">{props.label}</span>
        <kind.Field {...props} />
      </div>
    ),
  };
};

/** The fields. */
export const scheduleKind: KindOf<unknown> = (json) => {
  const kind = groupKind(everyKind({ choice: labeledChoice }))(json);
  return {
    ...kind,
    Field: (props) => (
      <>
        <kind.Field {...props} />
        {typed
          .filter(({ type }) => type === memberText(props.value, "type"))
          .map(({ type, member }) => (
            <CronHint
              key={type}
              type={type}
              expression={memberText(props.value, member)}
              timeZone={memberText(props.value, "timeZone") || "UTC"}
            />
          ))}
      </>
    ),
  };
};
