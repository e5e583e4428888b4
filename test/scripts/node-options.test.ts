/** Every way of starting the services gives Node the options of `npm start`. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { nodeOptions } from "../support/own-runtime.ts";
import { projectFolder } from "../support/process.ts";

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");

describe("options of Node", () => {
  it("stand in the start of package.json", () => {
    assert.deepEqual(
      nodeOptions.map((option) => option.split("=", 1)[0]),
      [
        "--max-semi-space-size",
        "--v8-pool-size",
        "--no-allocation-site-pretenuring",
        "--no-incremental-marking-task",
        "--incremental-marking-hard-trigger",
      ],
    );
  });

  it("are the same in the image, for the service and for its commands", async () => {
    const text = await read("Dockerfile");
    const inEntry = nodeOptions.map((option) => `"${option}", `).join("");
    assert.ok(text.includes(`ENTRYPOINT ["node", ${inEntry}"/opt/trivet/trivet.js"]`), inEntry);
    assert.ok(
      text.includes(`exec node ${nodeOptions.join(" ")} /opt/trivet/trivet.js`),
      nodeOptions.join(" "),
    );
  });

  it("are the same in the single file", async () => {
    const text = await read("scripts/release/build-single.ts");
    const listed = /^const nodeOptions = (\[[^\]]*\]);/mu.exec(text)?.[1]?.replaceAll(/\s|,(?=\s*\])/gu, "");
    assert.equal(listed, JSON.stringify(nodeOptions));
  });

  it("are the same in the guide", async () => {
    const text = await read("docs/deploy.md");
    assert.ok(text.includes(`node ${nodeOptions.join(" ")} trivet.js`), nodeOptions.join(" "));
  });

  it("are the same in the unit of systemd", async () => {
    const text = await read("scripts/install.d/trivet.service");
    assert.ok(text.includes(`@NODE@ ${nodeOptions.join(" ")} @ROOT@`), nodeOptions.join(" "));
  });
});
