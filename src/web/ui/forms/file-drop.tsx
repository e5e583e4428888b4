/** A place where files are dropped, or chosen by pointer or keyboard. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../icons.tsx";

function takeFiles(list: FileList | null | undefined): readonly File[] {
  return [...(list ?? [])];
}

/** The place; `accept` as browsers take it, which is a hint to them and no promise. */
export function FileDrop(props: {
  label: string;
  children?: ComponentChildren;
  accept?: string | undefined;
  multiple?: boolean | undefined;
  disabled?: boolean | undefined;
  onFiles: (files: readonly File[]) => void;
}): JSX.Element {
  const { label, children, accept, multiple = false, disabled = false, onFiles } = props;
  const [isOver, setIsOver] = useState(false);
  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    const files = takeFiles(event.dataTransfer?.files);
    if (!disabled && files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  }
  return (
    <label
      class={`file-drop${isOver ? " is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <span>{label}</span>
      {children !== undefined && <span class="field-hint">{children}</span>}
      <input
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          const input = event.currentTarget;
          const files = takeFiles(input.files);
          // The same file again is a choice, too.
          input.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
