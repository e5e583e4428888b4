/** In place of the program's reading of its pages: they do not change, so that later starts take them from the first. */
import * as real from "../../../src/kit/http/web-assets.ts";

const ofConsoles = new Map<string, ReturnType<typeof real.loadConsoleAssets>>();
let ofPages: ReturnType<typeof real.loadPageAssets> | undefined;

export function loadConsoleAssets(service: Parameters<typeof real.loadConsoleAssets>[0]) {
  const known = ofConsoles.get(service) ?? real.loadConsoleAssets(service);
  ofConsoles.set(service, known);
  return known;
}

export function loadPageAssets(): ReturnType<typeof real.loadPageAssets> {
  return (ofPages ??= real.loadPageAssets());
}
