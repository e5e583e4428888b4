/** How far machines are with their files of checks. */
import type { JSX } from "preact";
import type { CheckPlaceView } from "../../../monitor/places/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind } from "../../ui/console/pieces.tsx";

export const CHECK_PLACES = "/api/admin/check-locations";

const kinds: Readonly<Record<CheckPlaceView["state"], BadgeKind>> = {
  current: "good",
  outdated: "warn",
  missing: "warn",
  unneeded: "idle",
};

/** Its state in a word. */
export function PlaceStateBadge({ state }: Pick<CheckPlaceView, "state">): JSX.Element {
  return (
    <Badge kind={kinds[state]} icon={state === "current" ? "check" : state === "unneeded" ? "info" : "alert"}>
      {text(`admin.checkfile.state.${state}`)}
    </Badge>
  );
}
