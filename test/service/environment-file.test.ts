import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseEnvironmentFile } from "../../src/service/doctor/environment-file.ts";

describe("a file of settings", () => {
  it("is read as systemd reads it", () => {
    const text = `# a comment\n; another\nHOST=0.0.0.0\n  PUBLIC_URL = "https://a.example" \nADMIN_TOKEN='a b'\nEMPTY=\nnot a line\nHOST=::1\n`;
    assert.deepEqual(parseEnvironmentFile(text), {
      HOST: "::1",
      PUBLIC_URL: "https://a.example",
      ADMIN_TOKEN: "a b",
      EMPTY: "",
    });
  });
});
