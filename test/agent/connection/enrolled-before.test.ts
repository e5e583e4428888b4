/** What an enrolment leaves for later starts: whose authorities to trust, and which code it came of. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Registration, loadRegistration } from "../../../src/agent/connection/registration.ts";
import { parseAgentSettings } from "../../../src/agent/options.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { cert } from "../../support/tls-pair.ts";
import { startEnrolService } from "../support/enrol-service.ts";

const granted = { id: "s1", key: "agk_1", server: "mon.example:443" };
const lookUp = async (): Promise<readonly string[]> => ["10.0.0.7"];

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-enrolled-"));
  data = join(folder, "data");
  await mkdir(data);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("an enrolled machine", () => {
  it("trusts what the system trusts besides, at enrolment and at later starts", async () => {
    const bundle = join(folder, "bundle.crt");
    const service = await startEnrolService({ status: 201, body: { ...granted, tls: true }, https: true });
    const loadWith = (paths: readonly string[], ...args: readonly string[]): Promise<Registration> => {
      const parsed = parseAgentSettings(["--data", data, ...args], {});
      if (!parsed.ok) assert.fail(parsed.problems.join("; "));
      const options = { files: nodeFileLayer, hostname: "web-1", log: silentLog, lookUp };
      return loadRegistration(parsed.settings, { ...options, systemBundles: paths });
    };
    const line = ["--enrol", "enr_1", "--url", service.url];
    try {
      const refusal = /certificate is not trusted\. .*--ca, or add the authority to the system/u;
      await assert.rejects(loadWith([], ...line), refusal);
      await writeFile(bundle, "no certificate here");
      await assert.rejects(loadWith([bundle], ...line), refusal);
      assert.equal(service.requests.length, 0);
      await writeFile(bundle, `# local\n${cert}`);
      const { tls } = await loadWith([join(folder, "none"), bundle], ...line);
      assert.ok(tls?.ca?.includes(cert.trim()));
      assert.ok((await loadWith([bundle])).tls?.ca?.includes(cert.trim()));
      assert.deepEqual((await loadWith([])).tls, {});
    } finally {
      await service.close();
    }
  });

  it("is silent about the code that enrolled the machine, and tells another that gave nothing", async () => {
    const told: string[] = [];
    const log = { ...silentLog, info: (text: string) => void told.push(text) };
    const start = async (code: string, status: number): Promise<string[]> => {
      const service = await startEnrolService({
        status,
        body: status === 201 ? granted : { detail: "used" },
      });
      const parsed = parseAgentSettings(["--data", data, "--enrol", code, "--url", service.url, "--tls"], {});
      if (!parsed.ok) assert.fail(parsed.problems.join("; "));
      const unused: string[] = [];
      told.length = 0;
      try {
        const options = { files: nodeFileLayer, hostname: "web-1", log, lookUp };
        await loadRegistration(parsed.settings, {
          ...options,
          onKeyUnused: (reason) => void unused.push(reason),
        });
      } finally {
        await service.close();
      }
      return [...told, ...unused.map(() => "unused")];
    };
    assert.deepEqual(await start("enr_1", 201), ["Enrolled"]);
    assert.deepEqual(await start("enr_1", 401), []);
    assert.deepEqual(await start("enr_2", 401), [
      "The enrollment key was already used by this machine; continuing with the existing identity",
      "unused",
    ]);
  });
});
