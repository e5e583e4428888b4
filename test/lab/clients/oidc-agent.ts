/** oidc-agent, which signs in on a machine without a browser by a code that a person types elsewhere. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { runProcess } from "../../support/process.ts";
import type { Lab, Trial } from "./lab.ts";

const ACCOUNT = "trivet";
const WAIT_MS = 30_000;
const agentSchema = z.object({ socket: z.string(), dpid: z.coerce.number() });

async function signIn(lab: Lab, env: Readonly<Record<string, string>>): Promise<void> {
  const { id, issuer } = await lab.register("oidc-agent", () => ({ clientType: "public", deviceFlow: true }));
  const gen = spawn(
    "oidc-gen",
    [
      ACCOUNT,
      "--manual",
      `--iss=${issuer}/`,
      `--client-id=${id}`,
      "--client-secret=",
      "--scope=openid profile email offline_access",
      "--flow=device",
      "--pw-cmd=echo secret",
      "--prompt=none",
      "--no-scheme",
    ],
    { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], timeout: WAIT_MS },
  );
  let output = "";
  for (const stream of [gen.stdout, gen.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(gen, "exit");
  const user_code = await eventually(() => /enter the code: (\S+)/u.exec(output)?.[1] ?? assert.fail(output));
  const person = lab.openPerson();
  assert.ok((await person.enter(`${issuer}/device?user_code=${user_code}`)).isAsked, "nobody was asked");
  const allowed = await person.enter(`${issuer}/device/answer`, { user_code, answer: "allow" });
  assert.equal(allowed.status, 200, allowed.body);
  await ended;
  assert.equal(gen.exitCode, 0, output);
}

async function getToken(env: Readonly<Record<string, string>>, ...more: string[]): Promise<string> {
  const { code, output } = await runProcess({ command: "oidc-token", args: [...more, ACCOUNT], env });
  assert.equal(code, 0, output);
  return output.trim();
}

/** The trial; the agent runs with a home of its own. */
export const oidcAgentTrial: Trial = {
  name: "oidc-agent",
  run: async (lab) => {
    const home = await mkdtemp(join(tmpdir(), "trivet-oidc-agent-"));
    const started = spawn("oidc-agent", ["--json", "--quiet"], {
      env: { ...process.env, HOME: home, TMPDIR: home },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    started.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    // It goes on in the background: what it says may come after the end of the process that was started.
    const { socket, dpid } = await eventually(() => agentSchema.parse(JSON.parse(output)));
    const env = { HOME: home, TMPDIR: home, OIDC_SOCK: socket };
    try {
      await signIn(lab, env);
      const token = await getToken(env);
      const headers = { authorization: `Bearer ${token}` };
      lab.checkClaims(await (await fetch(`${lab.issuer}/oauth/userinfo`, { headers })).json());
      assert.notEqual(await getToken(env, "--force-new"), token);
      return "signed in by a code that was typed elsewhere, claims, renewed";
    } finally {
      process.kill(dpid);
      await rm(home, { recursive: true, force: true });
    }
  },
};
