/** All kinds of fields, for forms that a service declares. */
import { groupKind, listKind } from "./group-kinds.tsx";
import type { OwnKinds } from "./kind-of.ts";
import { pairsKind, secretKind } from "./secret-kinds.tsx";
import { durationKind, percentKind } from "./span-kinds.tsx";
import { zoneKind } from "./zone-kind.ts";

/** The kinds beyond the plain ones, with a console's own: for `kinds` of a form that may have any of them. */
export function everyKind<C>(own: OwnKinds<C> = {}): OwnKinds<C> {
  const all: OwnKinds<C> = {
    percent: percentKind,
    duration: durationKind,
    secret: secretKind,
    pairs: pairsKind,
    zone: zoneKind,
    group: (json) => groupKind(all)(json),
    list: (json) => listKind(all)(json),
    ...own,
  };
  return all;
}
