/** A server's state by shape, colour and word, and the flag of where it stands. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toCountry, toFlag } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Icon } from "./icons.tsx";

/** The shape; its word is for screen readers. */
export function StateMark({ state }: { state: PublicServer["state"] }): JSX.Element {
  const word = text(`state.${state}`);
  return (
    <span class={`state-mark is-${state}`} title={word}>
      <Icon name={state} />
      <span class="for-readers">{word}</span>
    </span>
  );
}

/** Shape and word together. */
export function StateBadge({ state }: { state: PublicServer["state"] }): JSX.Element {
  return (
    <span class={`state-badge is-${state}`}>
      <Icon name={state} />
      {text(`state.${state}`)}
    </span>
  );
}

/** The flag, with the country's name; nothing without a region. */
export function Flag({ region }: { region: string }): JSX.Element | null {
  if (region === "") return null;
  const country = toCountry(region);
  return (
    <span class="flag" role="img" aria-label={country} title={country}>
      {toFlag(region)}
    </span>
  );
}
