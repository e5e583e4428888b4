/** The fields of an on-call table: shifts of a week, and overrides. */
import { TextField } from "../../ui/controls.tsx";
import { toDateTimeText } from "../../ui/forms/local-time.ts";
import { groupKind, listKind } from "../../ui/resource/group-kinds.tsx";
import { type KindOf, memberText, toText } from "../../ui/resource/kind.ts";
import type { OwnKinds } from "../../ui/resource/kind-of.ts";
import { textKind } from "../../ui/resource/kinds.tsx";
import { choicesKind } from "../../ui/resource/set-kinds.tsx";
import { findWeek } from "./week.ts";

/** A time of day. */
const clockKind: KindOf<unknown> = (json) => ({
  ...textKind(json),
  Field: ({ label, hint, error, value, onChange }) => (
    <TextField label={label} hint={hint} error={error} type="time" value={toText(value)} onInput={onChange} />
  ),
});

/** The table; `kinds` has that of a channel. */
export function onCallKind<C>(kinds: OwnKinds<C>): KindOf<C> {
  return groupKind<C>(kinds, {
    members: {
      shifts: {
        kind: listKind<C>(kinds, {
          isHeaded: true,
          members: {
            days: { kind: choicesKind({ inRow: true }) },
            from: { kind: clockKind },
            to: { kind: clockKind },
          },
        }),
      },
      overrides: {
        kind: listKind<C>(kinds, {
          isHeaded: true,
          presets: [
            {
              label: "channel.oncall.overrides.week",
              begin: (form) => {
                const { from, to } = findWeek(Date.now(), memberText(form, "timeZone"));
                return { from: toDateTimeText(from), to: toDateTimeText(to) };
              },
            },
          ],
        }),
      },
    },
  });
}
