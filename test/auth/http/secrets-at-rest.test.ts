/**
 * The store, the log and the audit contain no usable secret: a journey through all features with secrets, and a scan
 * of every record.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog } from "../../../src/kit/observe/log.ts";
import { type TestApp, ADMIN_TOKEN, createTestApp, PASSWORD } from "../app-fixture.ts";
import { dumpStore } from "../store-dump.ts";
import { read } from "./admin-requests.ts";
import {
  type Tokens,
  addFactor,
  linkFor,
  logIn,
  MINUTE_MS,
  OTHER,
  post,
  register,
  sendCode,
  tokensOf,
  totpCode,
} from "./people.ts";

const ANN = "ann@example.org";

/** Registers, proves, fails, signs in each way, refreshes, resets and changes; gives every secret on the way. */
async function walk(app: TestApp): Promise<string[]> {
  const secrets: string[] = [PASSWORD, OTHER, "a wrong guess of somebody", ADMIN_TOKEN];
  const keep = ({ accessToken, refreshToken }: Tokens): string => {
    secrets.push(accessToken, refreshToken);
    return accessToken;
  };
  const mailedCode = async (): Promise<string> => {
    const typed = await app.codeFor(ANN);
    secrets.push(typed, `${typed.slice(0, 4)} ${typed.slice(4)}`);
    return typed;
  };
  const invite: { code: string } = await read(await app.admin("POST", "/api/admin/invites", {}), 201);
  secrets.push(invite.code, invite.code.slice(4), invite.code.replaceAll("-", "").slice(3));
  await register(app, "ann", { inviteCode: invite.code });
  await register(app, "decoy", { email: ANN, password: OTHER });
  await post(app, "email/verify", { email: ANN, code: "12345678" });
  await logIn(app, "ann", "a wrong guess of somebody");
  const proof = { email: ANN, code: await mailedCode() };
  keep(await tokensOf(await post(app, "email/verify", proof)));
  await register(app, "decoy2", { email: ANN, password: OTHER });

  app.clock.advance(MINUTE_MS);
  await sendCode(app, ANN, "login");
  const byCode = await post(app, "login/code", { email: ANN, code: await mailedCode() });
  const device = byCode.headers.get("x-device-token") ?? assert.fail();
  secrets.push(device);
  const first = await tokensOf(byCode);
  keep(await tokensOf(await post(app, "refresh", { refreshToken: keep(first) && first.refreshToken })));

  app.clock.advance(MINUTE_MS);
  await post(app, "password/forgot", { email: ANN });
  const link = await linkFor(app, ANN);
  secrets.push(link);
  await read(await post(app, "password/reset", { token: link, password: PASSWORD }), 200);
  const token = keep(await tokensOf(await logIn(app, "ann")));
  const { secret, recoveryCodes } = await addFactor(app, token);
  secrets.push(secret, ...recoveryCodes, ...recoveryCodes.map((text) => text.replace("-", "")));

  const { challengeId } = await read<{ challengeId: string }>(await logIn(app, "ann"), 200);
  secrets.push(challengeId);
  await post(app, "login/mfa", { challengeId, code: "000000" });
  const typed = totpCode(app, secret);
  const withFactor = keep(await tokensOf(await post(app, "login/mfa", { challengeId, code: typed })));
  const proofAgain = { password: PASSWORD, secondFactor: { method: "recovery", code: recoveryCodes[0] } };
  await read(await post(app, "reauth", proofAgain, { token: withFactor }), 200);
  const changed = await post(app, "password/change", { password: OTHER }, { token: withFactor });
  keep(await tokensOf(changed));

  const made: { setPasswordToken: string } = await read(
    await app.admin("POST", "/api/admin/users", { username: "bob", email: "bob@example.org" }),
    201,
  );
  secrets.push(made.setPasswordToken);
  // What still waits: a code and a link that were not used.
  app.clock.advance(MINUTE_MS);
  await sendCode(app, ANN, "login");
  await mailedCode();
  app.clock.advance(MINUTE_MS);
  await post(app, "password/forgot", { email: ANN });
  secrets.push(await linkFor(app, ANN));
  return secrets;
}

describe("the store and the log after a journey through everything that is secret", () => {
  it("hold no password, code, token, link, recovery code nor secret, plain or encoded", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "debug", pretty: false, write: (text) => lines.push(text) });
    const app = await createTestApp({ log });
    const secrets = await walk(app);
    assert.ok(secrets.length > 40, `${secrets.length} secrets`);
    const records = await dumpStore(app.store);
    assert.ok(records.length > 30, `${records.length} records`);
    assert.ok(lines.length > 20, `${lines.length} lines`);
    for (const secret of secrets) {
      // The bare part of a prefixed token is invalid, but should not be stored either.
      const bare = secret.replace(/^(?:acc|ref|rst|mfa|adm)_/u, "");
      const forms = [
        secret,
        bare,
        Buffer.from(secret).toString("base64url"),
        Buffer.from(secret).toString("hex"),
      ];
      for (const line of [...records, ...lines])
        for (const form of forms) assert.ok(!line.includes(form), `"${secret}" stands in ${line}`);
    }
  });
});
