/** Addresses of this service that are not of the console, also below a path of their own. */
import { basePath } from "../../app/path.ts";

/** Where a path of this service is. */
export function toOwnAddress(path: string): string {
  return basePath + path;
}
