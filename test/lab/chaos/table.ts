/** The result of `npm run chaos` for people: a line while it runs, a table at its end. */
import type { ChaosRow } from "./case.ts";

/** What a row says of itself: of a control, that the check has noticed it. */
export function toVerdict({ outcome, isControl }: ChaosRow): string {
  if (!isControl || outcome === "skipped") return outcome;
  return outcome === "pass" ? "noticed" : "NOT NOTICED";
}

/** One line for a row that has just ended. */
export function toLine(row: ChaosRow): string {
  const { case: name, part, isControl, done, acknowledged, found, seconds } = row;
  const what = [done, acknowledged, found].filter((text) => text !== "").join(" · ");
  return `${toVerdict(row).padEnd(11)} ${name}: ${isControl ? "control, " : ""}${part} (${seconds} s): ${what}`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/gu, " ").slice(0, 400);

/** All rows as a table in Markdown, and a last line with the counts. */
export function toTable(rows: readonly ChaosRow[]): string {
  const lines = rows.map((row) => {
    const part = row.isControl ? `*control:* ${row.part}` : row.part;
    const cells = [row.case, part, row.done, row.acknowledged, row.found, toVerdict(row), `${row.seconds}`];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  const count = (isControl: boolean, outcome: ChaosRow["outcome"]): number =>
    rows.filter((row) => row.isControl === isControl && row.outcome === outcome).length;
  const skipped = count(false, "skipped") + count(true, "skipped");
  return [
    "| case | part | done | acknowledged | found | | s |",
    "|---|---|---|---|---|---|---|",
    ...lines,
    "",
    `${count(false, "pass")} passed, ${count(false, "fail")} failed; ${count(true, "pass")} controls noticed, ${count(true, "fail")} not; ${skipped} skipped`,
  ].join("\n");
}
