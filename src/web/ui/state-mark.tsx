/** A server's state by shape, color and word, whether it is in maintenance, and the flag of its country. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { useState } from "preact/hooks";
import { toCountry, toMoment, toUntil } from "../app/format.ts";
import { minute } from "../app/now.ts";
import { text } from "../app/texts.ts";
import { Icon } from "./icons.tsx";

interface Shown {
  state: PublicServer["state"];
  /** Set when an online server sends no reports. */
  reports: PublicServer["reports"];
}

/** An online server without reports is shown as a warning. */
function toShape({ state, reports }: Shown) {
  return { look: reports === undefined ? state : "silent", word: text(`state.${reports ?? state}`) } as const;
}

/** The shape; its word is for screen readers. */
export function StateMark(shown: Shown): JSX.Element {
  const { look, word } = toShape(shown);
  return (
    <span class={`state-mark is-${look}`} title={word}>
      <Icon name={look === "silent" ? "alert" : look} />
      <span class="for-readers">{word}</span>
    </span>
  );
}

/** Shape and word together. */
export function StateBadge(shown: Shown): JSX.Element {
  const { look, word } = toShape(shown);
  return (
    <span class={`state-badge is-${look}`}>
      <Icon name={look === "silent" ? "alert" : look} />
      {word}
    </span>
  );
}

/** That a server is in planned maintenance, and until when; nothing outside of it. `until` is epoch milliseconds. */
export function MaintenanceMark(props: {
  until: number | undefined;
  /** Shows only the end, and in a row not even that: something else has to be said there. */
  short?: boolean;
}): JSX.Element | null {
  const { until, short = false } = props;
  if (until === undefined) return null;
  const end = toUntil(until, minute.value);
  return (
    <span
      class={`maintenance-mark${short ? " is-short" : ""}`}
      title={text("server.maintenance", { moment: toMoment(until) })}
    >
      <Icon name="wrench" />
      <span class="maintenance-words">{text("server.maintenance", { moment: end })}</span>
      <span class="maintenance-end" aria-hidden="true">
        {end}
      </span>
    </span>
  );
}

/** The flag, with the country's name; nothing without a region. */
export function Flag({ region }: { region: string }): JSX.Element | null {
  if (region === "") return null;
  return <FlagPicture region={region} key={region} />;
}

function FlagPicture({ region }: { region: string }): JSX.Element {
  const country = toCountry(region);
  // Not every code that a region may have has a flag.
  const [isMissing, setMissing] = useState(false);
  if (isMissing)
    return (
      <abbr class="region" title={country}>
        {region}
      </abbr>
    );
  return (
    <img
      class="flag"
      src={`/assets/flag-${region.toLowerCase()}.svg`}
      alt={country}
      title={country}
      width="20"
      height="14"
      loading="lazy"
      onError={() => setMissing(true)}
    />
  );
}
