import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";
import { configVariables } from "../../src/config.ts";

const denoConfig = z.object({ tasks: z.record(z.string(), z.string()) });

describe("deno task start", () => {
  it("may read every variable of the configuration, and no environment beyond named ones", async () => {
    const { tasks } = denoConfig.parse(JSON.parse(await readFile(join(projectFolder, "deno.json"), "utf8")));
    const named = /--allow-env=(\S+)/u.exec(tasks["start"] ?? "")?.[1]?.split(",") ?? [];
    assert.deepEqual(
      configVariables.filter((name) => !named.includes(name)),
      [],
    );
  });

  it("asks for no permission as a whole but the network", async () => {
    const { tasks } = denoConfig.parse(JSON.parse(await readFile(join(projectFolder, "deno.json"), "utf8")));
    const whole = [...(tasks["start"] ?? "").matchAll(/(?:--allow-\w+|-A)(?=\s)/gu)].map(([flag]) => flag);
    assert.deepEqual(whole, ["--allow-net"]);
  });
});
