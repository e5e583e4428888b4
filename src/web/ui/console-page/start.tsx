/** How a console of its own begins: its texts are asked for, then it is drawn. */
import { type JSX, render } from "preact";
import { loadTexts } from "../../app/language.ts";
import { setOwnPages } from "../../app/route.ts";
import { putBaseBeforePaths } from "../../pages/base-paths.ts";
import { type ConsoleAccess, setAccess } from "../console/session.ts";
import { type FieldKinds, setFieldKinds } from "../forms/fault-words.ts";

export interface ConsoleStart {
  readonly access: ConsoleAccess;
  readonly fieldKinds: FieldKinds;
  readonly draw: () => JSX.Element;
}

/** Draws the console. */
export async function startConsole({ access, fieldKinds, draw }: ConsoleStart): Promise<void> {
  putBaseBeforePaths();
  setOwnPages(({ page }) => page === "admin");
  setAccess(access);
  setFieldKinds(fieldKinds);
  await loadTexts();
  const root = document.querySelector("#app");
  if (root !== null) render(draw(), root);
}
