/** A logo that someone sets: stored ones, which earlier versions took, stay as they are until then. */
import { AppError } from "../errors.ts";
import { findSvgFault } from "../pictures/svg-check.ts";
import { findLogoFault, readLogo } from "./logo.ts";

/** Why a new logo cannot be taken; undefined when it can. */
export function findNewLogoFault(address: string): string | undefined {
  const fault = findLogoFault(address);
  if (fault !== undefined) return fault;
  const logo = readLogo(address);
  return logo?.contentType === "image/svg+xml" ? findSvgFault(logo.bytes) : undefined;
}

/** @throws AppError `invalid` when the logo is another one than before, and cannot be taken */
export function assertLogoChange(before: string, after: string, pointer: string): void {
  const message = before === after ? undefined : findNewLogoFault(after);
  if (message === undefined) return;
  throw new AppError("invalid", "The logo is invalid", {
    errors: [{ pointer, code: "invalid", message }],
  });
}
