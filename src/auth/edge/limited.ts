import { AppError } from "../../kit/errors.ts";

/** Throws `insufficient_scope`. */
export function refuseLimited(what: string): never {
  throw new AppError(
    "insufficient_scope",
    `Only administrators can change ${what}. Sign in as an administrator or send the administrator token`,
    { details: { scope: "administrator" } },
  );
}
