/** How far machines are with their files of checks. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind } from "../../ui/console/pieces.tsx";

/** A machine as a place of checks. */
export interface CheckPlace {
  readonly serverId: string;
  readonly serverName: string;
  /** `missing`: it reports none, or has not reported yet. */
  readonly state: "current" | "outdated" | "missing" | "unneeded";
  /** In the file that is ready for it. */
  readonly checks: number;
  readonly leftOut: number;
  /** What is wrong with the file on the machine, in English. */
  readonly problem?: string;
  readonly reportedAt?: string;
}

export const CHECK_PLACES = "/api/admin/check-places";

const kinds: Readonly<Record<CheckPlace["state"], BadgeKind>> = {
  current: "good",
  outdated: "warn",
  missing: "warn",
  unneeded: "idle",
};

/** Its state in a word. */
export function PlaceStateBadge({ state }: Pick<CheckPlace, "state">): JSX.Element {
  return (
    <Badge kind={kinds[state]} icon={state === "current" ? "check" : state === "unneeded" ? "info" : "alert"}>
      {text(`admin.checkfile.state.${state}`)}
    </Badge>
  );
}
