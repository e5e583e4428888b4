/** Changes that say which version they were made from. */
import { AppError } from "../../kit/errors.ts";
import { readIfMatch } from "../../kit/http/schemas.ts";

/** Runs a change. A stale version is `stale_version` (412) when If-Match named it, `version_conflict` (409) when the body did. */
export async function changeFrom<R>(
  { ifMatch, version }: { ifMatch: string | undefined; version: number | undefined },
  change: (version: number | undefined) => Promise<R>,
): Promise<R> {
  if (version !== undefined) return change(version);
  const named = readIfMatch(ifMatch);
  try {
    return await change(named);
  } catch (error) {
    if (named === undefined || !(error instanceof AppError) || error.code !== "version_conflict") throw error;
    const { message, details } = error;
    throw new AppError("stale_version", message, { cause: error, ...(details && { details }) });
  }
}
