/** A verification code of either kind; the page does not ask which. */

/** Six digits come from an app, anything else is a recovery code; undefined for nothing. */
export function toTypedFactor(code: string): { method: "totp" | "recovery"; code: string } | undefined {
  if (code === "") return undefined;
  return { method: /^[\d ]{6,7}$/u.test(code) ? "totp" : "recovery", code };
}
