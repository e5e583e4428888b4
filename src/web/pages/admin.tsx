/** Administration: signing in, and then its sections. */
import type { JSX } from "preact";
import { text } from "../app/texts.ts";

/** The section of that name. */
export function AdminPage({ section }: { section: string; id: string | undefined }): JSX.Element {
  return (
    <h1>
      {text("header.admin")}: {section}
    </h1>
  );
}
