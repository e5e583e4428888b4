/** The whole program makes a backup of itself: in a process of its own, on the runtime of the test. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const token = "adm_of-the-test-of-backups";

describe("the program with BACKUP_DIR", () => {
  let programs: Programs;
  before(async () => {
    programs = await createPrograms();
  });
  after(() => programs.dispose());

  it("backs its folder up on demand and shows what it made", async () => {
    const folder = join(programs.folder, "backups");
    const program = programs.run({ BACKUP_DIR: folder, ADMIN_TOKEN: token }, ["monitor"]);
    const { http } = await programs.ports(program);
    const ask = async (method: string): Promise<{ items: { name: string }[]; failure?: unknown }> => {
      const headers = { "x-admin-token": token };
      return (await fetch(`http://127.0.0.1:${http}/api/admin/backups`, { method, headers })).json();
    };
    await ask("POST");
    await program.find(/Backup created and verified|The backup failed/u);
    const { items, failure } = await ask("GET");
    assert.equal(failure, undefined, program.output());
    const [name = ""] = (await readdir(folder)).filter((each) => each.startsWith("trivet-"));
    assert.deepEqual(
      items.map((item) => item.name),
      [name],
    );
    assert.match(await readFile(join(folder, name, "backup.json"), "utf8"), /"monitor\/monitor\.json"/u);
    terminate(program);
    assert.equal(await program.ended, 0);
  });
});
