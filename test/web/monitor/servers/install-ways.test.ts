/** The commands that the console shows for a new machine, run with stand-ins for what they load and start. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { parse } from "yaml";
import { toInstallText } from "../../../../src/web/monitor/servers/install-ways.ts";
import { runProcess } from "../../../support/process.ts";

const enrolment = {
  id: "1",
  code: "enr_test",
  usesLeft: 1,
  expiresAt: "2026-01-01T00:00:00.000Z",
  url: "https://status.example.org",
  command: "curl -fsSL https://status.example.org/install.sh | sudo sh -s -- enr_test",
};
const image = { version: "0.1.0" };
const files = ["agent.js", "agent.sh", "trivet-agent-image-linux-x64.tar.gz"];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-install-ways-"));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "monitor"));
  const note = '#!/bin/sh\necho "$(basename "$0") $*" >>"$NOTES"\n';
  const programs = {
    // "-O": to a file here; otherwise to standard output.
    curl: `#!/bin/sh\nfor url; do :; done\ncase $1 in *O*) cp ${folder}/monitor/"\${url##*/}" . ;; *) cat ${folder}/monitor/"\${url##*/}" ;; esac\n`,
    uname: "#!/bin/sh\necho x86_64\n",
    docker: note,
    // Podman loads no compressed file. The files here are texts.
    gzip: '#!/bin/sh\n[ "$1" = -dc ] && cat "$2"\n',
    node: note,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, "bin", name), text);
    await chmod(join(folder, "bin", name), 0o755);
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a command where the monitor has the files with right checksums, or one of them changed on the way. */
async function run(name: string, command: string, isTampered = false) {
  const work = join(folder, name);
  await mkdir(work);
  const sums = files.map((file) => `${createHash("sha256").update(file).digest("hex")}  ${file}\n`);
  await writeFile(join(folder, "monitor/SHA256SUMS"), sums.join(""));
  for (const file of files) await writeFile(join(folder, "monitor", file), isTampered ? `${file}!` : file);
  const { code } = await runProcess({
    command: "sh",
    args: ["-c", command],
    cwd: work,
    env: { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`, NOTES: join(work, "notes") },
    timeoutMs: 30_000,
  });
  const notes = await readFile(join(work, "notes"), "utf8").catch(() => "");
  return { code, started: notes.trim().split("\n") };
}

describe("commands for a new machine", () => {
  it("start nothing whose checksum is wrong", async () => {
    for (const way of ["docker", "hand", "script"] as const) {
      const { code, started } = await run(`bad-${way}`, toInstallText(way, enrolment, image), true);
      assert.notEqual(code, 0, way);
      assert.deepEqual(started, [""], way);
    }
  });

  it("load the image of the agent and start it without rights", async () => {
    const { code, started } = await run("docker", toInstallText("docker", enrolment, image));
    assert.equal(code, 0);
    assert.equal(started[0], "docker load");
    assert.match(
      started[1] ?? "",
      /^docker run .* --read-only --cap-drop ALL --security-opt no-new-privileges -v \/:\/host:ro,rslave .* -e TRIVET_ENROL=enr_test -e TRIVET_URL=https:\/\/status\.example\.org localhost\/trivet-agent:0\.1\.0$/u,
    );
    const hand = await run("hand", toInstallText("hand", enrolment));
    assert.deepEqual(hand.started, ["node agent.js --enrol enr_test --url https://status.example.org"]);
  });

  it("compose the same container", () => {
    const { services } = parse(toInstallText("compose", enrolment, image)) as {
      services: Record<string, Record<string, unknown>>;
    };
    const { image: tag, read_only: isReadOnly, cap_drop: dropped } = services["trivet-agent"] ?? {};
    assert.deepEqual([tag, isReadOnly, dropped], ["localhost/trivet-agent:0.1.0", true, ["ALL"]]);
  });

  it("take Node's image where the monitor has none of the agent", () => {
    assert.match(toInstallText("docker", enrolment), /node:22-alpine sh -c .*sha256sum -c -/su);
    assert.match(toInstallText("compose", enrolment), /image: node:22-alpine/u);
  });
});
