/** Closes popups when the focus or a click leaves them. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Calls `close` when the pointer goes down, or the focus moves, outside of `root` while it is `open`. */
export function useClosing(root: RefObject<HTMLElement>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const closeBeside = ({ target }: Event): void => {
      if (target instanceof Node && root.current?.contains(target) === false) close();
    };
    document.addEventListener("pointerdown", closeBeside);
    document.addEventListener("focusin", closeBeside);
    return () => {
      document.removeEventListener("pointerdown", closeBeside);
      document.removeEventListener("focusin", closeBeside);
    };
  }, [open]);
}
