/** How the list of checks is laid out: what needs attention, then the groups. */
import type { CheckState } from "../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { text } from "../../app/texts.ts";
import type { ListSection } from "../../ui/resource/resource.ts";

/** In the address: those in no group, which an empty word cannot say there. */
export const NO_GROUP = "-";

const TROUBLED: readonly CheckState[] = ["down", "partial"];

/**
 * The list in sections; `showsState`: those of one state alone have no part above. A single group without a name needs no
 * title.
 */
export function toCheckSections(
  checks: readonly CheckView[],
  { showsState }: { showsState: boolean },
): readonly ListSection<CheckView>[] {
  const isTroubled = ({ standing }: CheckView): boolean => !showsState && TROUBLED.includes(standing.state);
  const troubled = checks.filter(isTroubled);
  const groups = new Map<string, CheckView[]>();
  for (const check of checks.filter((one) => !isTroubled(one))) {
    const group = groups.get(check.group) ?? [];
    groups.set(check.group, [...group, check]);
  }
  const hasTitles = troubled.length > 0 || groups.size > 1;
  return [
    ...(troubled.length === 0
      ? []
      : [
          {
            key: "troubled ",
            title: text("admin.checks.troubled"),
            class: "is-troubled",
            rows: troubled,
          },
        ]),
    ...[...groups].map(([group, rows]) => ({
      key: `group ${group}`,
      title: group === "" ? (hasTitles ? text("fleet.noGroup") : undefined) : group,
      rows,
    })),
  ];
}
