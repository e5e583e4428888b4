/** Note on every page that the connection to the monitor is lost, and since when. */
import type { JSX } from "preact";
import { Icon } from "./icons.tsx";
import { fleet } from "../app/fleet.ts";
import { toClock, toMoment } from "../app/format.ts";
import { second } from "../app/now.ts";
import { text } from "../app/texts.ts";

/** A service that only starts again is back before anybody has read a word. */
const PATIENCE_MS = 2_500;

/** The note; its live region is there before it has something to say, or it would not be read. */
export function StaleNote(): JSX.Element {
  const { live, loaded, lost } = fleet.value;
  const isLost = loaded && !live && lost !== undefined;
  // Only while it is lost does this follow the clock.
  const shown = isLost && second.value - lost.at >= PATIENCE_MS;
  return (
    <div role="status">
      {shown && (
        <p class="stale-note">
          <Icon name="alert" />
          <span title={toMoment(lost.lastFrameAt)}>
            <strong>{text("page.noContact", { time: toClock(lost.lastFrameAt, second.value) })}</strong>{" "}
            {text("page.noContactHint")}
          </span>
        </p>
      )}
    </div>
  );
}
