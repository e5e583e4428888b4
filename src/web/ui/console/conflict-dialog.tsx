/** Someone else saved in the meantime: shows who changed what, and makes one out of both. */
import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Segments } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { type FieldChange, type Versions, findChanges, isSame } from "../forms/conflict.ts";
import { FieldWordsContext } from "./field-words.ts";

type Side = "mine" | "theirs";

function ChangeRow<T>(props: {
  change: FieldChange<T>;
  side: Side;
  onSide: (side: Side) => void;
}): JSX.Element {
  const { change, side, onSide } = props;
  const { name, base, mine, theirs, isConflict } = change;
  const { toName, toValue } = useContext(FieldWordsContext);
  const label = toName(name);
  return (
    <li class="conflict">
      <h3>{label}</h3>
      <dl>
        <dt>{text("admin.conflict.mine")}</dt>
        <dd>{toValue(name, mine)}</dd>
        <dt>{text("admin.conflict.theirs")}</dt>
        <dd>{toValue(name, theirs)}</dd>
      </dl>
      {isConflict ? (
        <Segments<Side>
          label={text("admin.conflict.choose", { field: label })}
          value={side}
          choices={[
            { value: "mine", label: text("admin.conflict.take-mine") },
            { value: "theirs", label: text("admin.conflict.take-theirs") },
          ]}
          onChange={onSide}
        />
      ) : (
        <p class="field-hint">
          {text(isSame(base, mine) ? "admin.conflict.only-theirs" : "admin.conflict.only-mine")}
        </p>
      )}
    </li>
  );
}

/** The dialog; `onResolve` gets the names of fields that keep what was typed here, of those that both changed. */
export function ConflictDialog<T extends object>(props: {
  versions: Versions<T>;
  busy: boolean;
  onResolve: (keepMine: ReadonlySet<string>) => void;
  onClose: () => void;
}): JSX.Element {
  const { versions, busy, onResolve, onClose } = props;
  const [keepMine, setKeepMine] = useState<ReadonlySet<string>>(new Set());
  const changes = findChanges(versions);
  function choose(name: string, side: Side): void {
    const next = new Set(keepMine);
    if (side === "mine") next.add(name);
    else next.delete(name);
    setKeepMine(next);
  }
  return (
    <Dialog
      title={text("admin.conflict.title")}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text("admin.conflict.back")}</Button>
          <Button kind="primary" disabled={busy} onClick={() => onResolve(keepMine)}>
            {text("admin.conflict.save")}
          </Button>
        </>
      }
    >
      <p>{text("admin.conflict.text")}</p>
      <ul class="plain-list">
        {changes.map((change) => (
          <ChangeRow
            change={change}
            key={change.name}
            side={keepMine.has(change.name) ? "mine" : "theirs"}
            onSide={(side) => choose(change.name, side)}
          />
        ))}
      </ul>
    </Dialog>
  );
}
