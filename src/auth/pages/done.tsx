/** @jsxImportSource hono/jsx */
/** Messages about the action on the page before. */
import type { Visit } from "./visit.tsx";

/** Actions that failed, or are pending. */
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
