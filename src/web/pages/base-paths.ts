/** URLs of elements on a page below a base path. */
import { options } from "preact";
import { basePath } from "../app/path.ts";

/** Below a path, elements are written as at the root, and get the path before their addresses when they are made. */
export function putBaseBeforePaths(): void {
  if (basePath === "") return;
  const before = options.vnode;
  options.vnode = (vnode) => {
    const { type, props } = vnode;
    for (const name of typeof type === "string" && props !== null ? ["href", "src"] : []) {
      const value: unknown = Reflect.get(props, name);
      if (typeof value === "string" && value.startsWith("/")) Reflect.set(props, name, basePath + value);
    }
    before?.(vnode);
  };
}
