/** Buttons that move one of a list up or down, or take it out. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { IconButton } from "../controls.tsx";

/** The buttons for `name`, at position `at` of `count`; without `onRemove` it cannot be removed. */
export function OrderButtons(props: {
  name: string;
  at: number;
  count: number;
  disabled?: boolean;
  onMove: (to: number) => void;
  onRemove?: (() => void) | undefined;
}): JSX.Element {
  const { name, at, count, disabled = false, onMove, onRemove } = props;
  return (
    <>
      <IconButton
        icon="arrowUp"
        label={text("admin.move.up", { name })}
        disabled={disabled || at <= 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        icon="arrowDown"
        label={text("admin.move.down", { name })}
        disabled={disabled || at >= count - 1}
        onClick={() => onMove(at + 1)}
      />
      {onRemove && (
        <IconButton
          icon="trash"
          label={text("admin.remove.named", { name })}
          disabled={disabled}
          onClick={onRemove}
        />
      )}
    </>
  );
}
