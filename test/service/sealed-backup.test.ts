/** Backups that only an age identity opens: by this program, and by age itself. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, mock } from "node:test";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { openBackupFolder } from "../../src/service/backup/backup-folder.ts";
import { createSealedBackup, openSealed } from "../../src/service/backup/sealed.ts";
import { backupCommand } from "../../src/service/commands/backup-command.ts";
import { restoreCommand } from "../../src/service/commands/restore-command.ts";
import { serviceCollections } from "../../src/service/collections.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { findProgram, tellSkipped } from "../support/missing.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const NAME = "trivet-2026-01-02T03-04-05-000Z";
const SECRET = "a sealing key that no stranger reads";
/** Longer than a name in a tar header, and of the kind that the shop gives its files. */
const BLOB = `shop/blobs/ab/${"0123456789abcdef".repeat(4)}`;

const skip = findProgram("age") === undefined && tellSkipped("age is not in PATH (apt install age)");

let home: string;
let data: string;
let identity: string;
let recipient: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-sealed-"));
  data = join(home, "data");
  const collections = serviceCollections.monitor ?? [];
  const store = await openJournalStore({ folder: join(data, "monitor"), name: "monitor", collections });
  await store.close();
  await writeFile(join(data, "monitor-secret.json"), JSON.stringify({ secret: SECRET }));
  await mkdir(join(data, BLOB, ".."), { recursive: true });
  await writeFile(join(data, BLOB), new Uint8Array(300_000).fill(7));
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  await writeFile(join(home, "identity.txt"), `# created: today\n${identity}\n`);
});
after(() => rm(home, { recursive: true }));

async function listen(run: () => Promise<void>): Promise<string> {
  const said = mock.method(console, "log", () => undefined);
  try {
    await run();
    return said.mock.calls.map(({ arguments: [line] }) => String(line)).join("\n");
  } finally {
    said.mock.restore();
  }
}

async function seal(name: string, recipients = [recipient]): Promise<string> {
  const to = join(home, name, `${NAME}.tar.age`);
  await createSealedBackup({ data, to, now: NOW, recipients });
  return to;
}

const restore = (file: string, target: string, key = "identity.txt"): Promise<string> =>
  listen(() =>
    restoreCommand.run([file, "--data", join(home, target), "--identity", join(home, key)], {
      variables: {},
    }),
  );

describe("sealed backups", () => {
  it("are one file with the keys, of which nothing is readable, and leave nothing beside it", async () => {
    const to = join(home, "by-command", NAME);
    const variables = { BACKUP_RECIPIENTS: recipient };
    const said = await listen(() => backupCommand.run(["--data", data, "--to", to], { variables }));
    assert.match(said, /Backed up, verified and sealed \d+ files in "\S+\.tar\.age"/u);
    assert.deepEqual(await readdir(join(home, "by-command")), [`${NAME}.tar.age`]);
    assert.equal((await stat(`${to}.tar.age`)).mode & 0o777, 0o600);
    assert.deepEqual(
      (await readdir(data)).filter((name) => name.startsWith(".")),
      [],
    );
    const bytes = await readFile(`${to}.tar.age`);
    assert.ok(bytes.toString("latin1").startsWith("age-encryption.org/v1\n"));
    assert.ok(!bytes.includes("sealing key") && !bytes.includes("monitor-secret"));
    const [found] = await openBackupFolder(join(home, "by-command")).list();
    assert.deepEqual(
      [found?.name, found?.createdAt, found?.sizeBytes, found?.files],
      [`${NAME}.tar.age`, NOW, bytes.length, undefined],
    );
  });

  it("are restored with the identity, with the keys", async () => {
    const said = await restore(await seal("restored"), "target");
    assert.match(said, /Restored and verified \d+ files/u);
    const key: unknown = JSON.parse(await readFile(join(home, "target/monitor-secret.json"), "utf8"));
    assert.deepEqual(key, { secret: SECRET });
    assert.equal((await readFile(join(home, "target", BLOB))).length, 300_000);
    assert.deepEqual(
      (await readdir(join(home, "target"))).filter((name) => name.startsWith(".opening")),
      [],
    );
  });

  it("say what is wrong with another identity, no identity, a damaged file and one that is cut off", async () => {
    const file = await seal("broken");
    await writeFile(join(home, "other.txt"), await generateX25519Identity());
    await writeFile(join(home, "empty.txt"), "# nothing\n");
    await writeFile(join(home, "wrong.txt"), "age1notanidentity\n");
    const fails = (key: string, message: RegExp): Promise<void> =>
      assert.rejects(restore(file, "never", key), { message });
    await fails("other.txt", /was sealed to another recipient\. Use the identity/u);
    await fails("empty.txt", /The identity file is empty\. It needs a line/u);
    await fails("wrong.txt", /has a line that is not an age identity/u);
    const none = restoreCommand.run([file, "--data", join(home, "never")], { variables: {} });
    await assert.rejects(none, { message: /is sealed\. Set the file with your age identity/u });
    const bytes = await readFile(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(file, bytes);
    await fails("identity.txt", /is damaged or cut off: .*Use another copy/u);
    await truncate(file, bytes.length - 70_000);
    await fails("identity.txt", /is damaged or cut off/u);
    await writeFile(file, "no backup");
    await fails("identity.txt", /is not a backup sealed with age/u);
    assert.equal((await readdir(join(home, "never"))).length, 0);
    await assert.rejects(seal("no-recipient", ["age1x"]), { message: /"age1x" is not an age recipient/u });
  });

  it("reject an archive that writes outside its folder", async () => {
    const { Encrypter } = await import("age-encryption");
    const { packTar } = await import("modern-tar");
    for (const name of ["../escaped", "/etc/escaped", "a/../../escaped"]) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      const body = "x";
      const archive = await packTar([{ header: { name, size: 1 }, body }]);
      await writeFile(join(home, "evil.tar.age"), await encrypter.encrypt(archive));
      const into = await mkdtemp(join(home, "into-"));
      await assert.rejects(
        openSealed(join(home, "evil.tar.age"), identity, into),
        /which no backup contains/u,
      );
    }
  });

  it("are opened by age, and opened here when age and tar made them", { skip }, async () => {
    const file = await seal("foreign");
    const age = (...args: readonly string[]): Buffer => execFileSync("age", [...args]);
    const tar = join(home, "plain.tar");
    age("-d", "-i", join(home, "identity.txt"), "-o", tar, file);
    execFileSync("tar", ["-xf", tar, "-C", join(home)]);
    const folder = join(home, NAME);
    assert.equal((await readFile(join(folder, BLOB))).length, 300_000);
    assert.match(
      await listen(() => restoreCommand.run([folder, "--data", join(home, "plain")], { variables: {} })),
      /Restored and verified/u,
    );
    for (const [name, args] of [
      ["gnu", ["--format=gnu", "-C", home, NAME]],
      ["pax", ["--format=pax", "-C", folder, "."]],
    ] as const) {
      const again = join(home, `${name}.tar`);
      execFileSync("tar", ["-cf", again, ...args]);
      age("-r", recipient, "-o", `${again}.age`, again);
      assert.match(await restore(`${again}.age`, `from-${name}`), /Restored and verified/u);
    }
  });
});
