/** Where the center leads a browser after its sign-in. */
import assert from "node:assert/strict";

/** The address with a code that the center's page leads to. */
export function readOnward(response: Response): string {
  assert.equal(response.status, 200);
  return /^0; url=(.+)$/u.exec(response.headers.get("refresh") ?? "")?.[1] ?? "";
}
