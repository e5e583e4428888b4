/** The buttons of a card in a list: its form, and its deletion. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import type { ListTools } from "./resource.ts";

/** The buttons; nothing for people whose roles only read. */
export function CardButtons<View>({
  view,
  tools,
}: {
  view: View;
  tools: ListTools<View>;
}): JSX.Element | null {
  if (!tools.mayWrite) return null;
  return (
    <>
      <Button small icon="edit" onClick={() => tools.edit(view)}>
        {text("admin.edit")}
      </Button>
      <Button small icon="trash" kind="danger" onClick={() => tools.remove(view)}>
        {text("admin.delete")}
      </Button>
    </>
  );
}
