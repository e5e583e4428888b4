/** Twenty machines with one key: every agent in a process and a folder of its own, against the whole program. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { toRunArguments } from "./support/own-runtime.ts";
import { type Program, type Programs, createPrograms, terminate } from "./support/program.ts";

const token = "adm_of-the-test-of-many-agents";
const MACHINES = 20;

interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly group: string;
}

describe("one key for twenty machines", () => {
  let programs: Programs;
  let machines: Programs;
  let url = "";
  let key = "";
  before(async () => {
    programs = await createPrograms();
    const start = [...toRunArguments("src/agent/main.ts")];
    machines = await createPrograms([], { entry: start.pop() ?? "", runner: [process.execPath, ...start] });
    const { http } = await programs.ports(programs.run({ ADMIN_TOKEN: token }, ["monitor"]));
    url = `http://127.0.0.1:${http}`;
    // One more use than there are machines: for the one whose server is deleted.
    const fields = { group: "Frankfurt" };
    const made = await ask("POST", "/api/admin/enrolments", {
      fields,
      uses: MACHINES + 1,
      lifeSeconds: 3_600,
    });
    ({ code: key } = (await made.json()) as { code: string });
  });
  after(async () => {
    await machines.dispose();
    await programs.dispose();
  });

  function ask(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${url}${path}`, {
      method,
      headers: { "x-admin-token": token, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  function runMachine(name: string): Program {
    const env = { TRIVET_ENROL: key, TRIVET_URL: url, TRIVET_NAME: name };
    return machines.run({ ...env, TRIVET_DATA: join(machines.folder, name) });
  }

  async function list(): Promise<ServerRow[]> {
    const answer = await ask("GET", "/api/admin/servers");
    return ((await answer.json()) as { items: ServerRow[] }).items;
  }

  it("creates a server for each, by its name and in the key's group, up to the limit", async () => {
    const names = Array.from({ length: MACHINES }, (_, index) => `web-${index + 1}`);
    const agents = names.map(runMachine);
    await Promise.all(agents.map((agent) => agent.find(/Connected/u)));
    const servers = await list();
    assert.deepEqual(servers.map(({ name }) => name).sort(), names.toSorted());
    assert.ok(servers.every(({ group }) => group === "Frankfurt"));

    // The line once more on a machine that is enrolled: the same server, and no use of the key.
    const [first] = agents;
    assert.ok(first);
    terminate(first);
    await first.ended;
    await runMachine("web-1").find(/Connected/u);
    assert.equal((await list()).length, MACHINES);

    // Deleted in the dashboard: the command creates it again.
    const gone = servers.find(({ name }) => name === "web-2");
    assert.equal((await ask("DELETE", `/api/admin/servers/${gone?.id}`)).status, 204);
    const [, second] = agents;
    assert.ok(second);
    terminate(second);
    await second.ended;
    await runMachine("web-2").find(/Connected/u);
    const again = (await list()).find(({ name }) => name === "web-2");
    assert.ok(again !== undefined && again.id !== gone?.id);

    const late = runMachine("web-late");
    assert.equal(await late.ended, 1);
    assert.match(late.output(), /wrong, used or expired|used up|expired/u);
    assert.equal((await list()).length, MACHINES);
  });
});
