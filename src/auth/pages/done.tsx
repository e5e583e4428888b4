/** @jsxImportSource hono/jsx */
/** What was done on the page before. */
import type { Visit } from "./visit.tsx";

/** What was not done, or not yet. */
const warnings = new Set([
  "deviceDenied",
  "expired",
  "otherAccount",
  "unverified",
  "pending",
  "approval",
  "unproved",
  "upstreamAway",
]);

/** A message above a form about what was done on the page before. */
export function Done({ visit }: { readonly visit: Visit }) {
  const { c, t } = visit;
  const done = c.req.query("done") ?? "";
  const text = t.find(`done.${done}`);
  if (text === undefined) return <></>;
  return (
    <p class={warnings.has(done) ? "note" : "note is-good"} role="status">
      {text}
    </p>
  );
}
