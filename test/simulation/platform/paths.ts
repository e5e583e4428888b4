/** Which paths are on the simulated disk. */
import { fileURLToPath } from "node:url";

/** Below it everything is simulated. */
export const SIMULATED = "/simulated";

export function toText(path: string | URL): string {
  return typeof path === "string" ? path : fileURLToPath(path);
}
