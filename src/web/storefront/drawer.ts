/** A drawer over the page: a modal dialog at its side, which Escape or its first button closes. */

export interface DrawerOptions {
  readonly label: string;
  /** The words of the button that closes it. */
  readonly close: string;
  readonly onClose: () => void;
}

/** Creates an empty drawer, not shown yet; it is removed once it is closed. */
export function createDrawer({ label, close: words, onClose }: DrawerOptions): HTMLDialogElement {
  const drawer = document.createElement("dialog");
  drawer.className = "drawer";
  drawer.setAttribute("aria-label", label);
  const close = document.createElement("button");
  Object.assign(close, { type: "button", className: "button quiet", textContent: words });
  close.addEventListener("click", () => drawer.close());
  drawer.addEventListener("click", ({ target }) => {
    if (target === drawer) drawer.close();
  });
  drawer.addEventListener("close", () => {
    drawer.remove();
    onClose();
  });
  drawer.append(close);
  document.body.append(drawer);
  return drawer;
}
