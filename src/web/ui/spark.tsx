/** The CPU of the last quarter of an hour as a small line. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { sparks } from "../app/fleet.ts";
import { serviceNow } from "./server-clock.ts";
import { seedSpark } from "../app/spark-past.ts";
import { toSparkPath } from "../app/sparks.ts";
import { text } from "../app/texts.ts";

const WIDTH = 120;
const HEIGHT = 28;
/** A line of a machine that does nothing lies low and does not fill the box. */
const LEAST_TOP = 25;

/** The line of a server; draw it again with each report. */
export function Spark({ server }: { server: PublicServer }): JSX.Element {
  const [, redraw] = useState(0);
  useEffect(() => seedSpark(server.id, () => redraw((count) => count + 1)), [server.id]);
  const values = sparks.read(server.id, serviceNow());
  const most = Math.max(LEAST_TOP, ...values.map((value) => value ?? 0));
  const path = toSparkPath(values, { width: WIDTH, height: HEIGHT - 4, most });
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text("fleet.spark")}
    >
      <path d={path} />
    </svg>
  );
}
