/** Endpoints for programs, with the slash at the end that some of them add. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestApp } from "../app-fixture.ts";

it("endpoints of applications answer with a slash at their end as without one", async () => {
  const app = await createTestApp();
  for (const path of ["token", "userinfo", "revoke", "par", "device_authorization"]) {
    const answers = await Promise.all(
      ["", "/"].map((end) =>
        app.raw(`/oauth/${path}${end}`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "client_id=nobody",
        }),
      ),
    );
    const [plain, slashed] = await Promise.all(
      answers.map(async (answer) => [answer.status, await answer.text()]),
    );
    assert.notEqual(plain?.[0], 404);
    assert.deepEqual(slashed, plain, path);
  }
});
