/** Warns if the issuer differs from the public URL: applications would reject its tokens. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Note } from "../../ui/console/note.tsx";

/** The note, where it is needed. */
export function IssuerNote({ issuer }: { issuer: string }): JSX.Element | null {
  const { origin } = location;
  if (issuer === origin || issuer.startsWith(`${origin}/`)) return null;
  return (
    <Note kind="warn">
      {issuer === ""
        ? text("auth.connection.noIssuer", { origin })
        : text("auth.connection.otherIssuer", { issuer, origin })}
    </Note>
  );
}
