/** A page that requires a permission. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Empty } from "../empty.tsx";
import { mayUse } from "./session.ts";

/** The page; for people whose roles lack the scope, words that say so. */
export function OnlyWith({ scope, children }: { scope: string; children: ComponentChildren }): JSX.Element {
  if (mayUse(scope)) return <>{children}</>;
  return <Empty icon="lock" title={text("admin.closed")} hint={text("admin.closed.hint")} />;
}
