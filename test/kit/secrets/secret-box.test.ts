import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";

const box = createSecretBox("a secret of the test suite, long enough");
const other = createSecretBox("another secret of the suite, as long as it");

describe("createSecretBox", () => {
  it("refuses a secret of fewer than 32 characters", () => {
    assert.throws(() => createSecretBox("x".repeat(31)), RangeError);
    assert.doesNotThrow(() => createSecretBox("x".repeat(32)));
  });
});

describe("seal and open", () => {
  it("open what was sealed, whatever the text, and show nothing of it", () => {
    for (const text of ["", "JBSWY3DPEHPK3PXP", "Zoë 👍", "x".repeat(100_000)]) {
      const sealed = box.seal(text, "totp");
      assert.equal(box.open(sealed, "totp"), text);
      assert.ok(text === "" || !sealed.includes(text));
    }
  });

  it("produces different output each time", () => {
    assert.notEqual(box.seal("text", "totp"), box.seal("text", "totp"));
  });

  it("opens for no other purpose and with no other secret", () => {
    const sealed = box.seal("text", "totp");
    assert.throws(() => box.open(sealed, "smtp"));
    assert.throws(() => other.open(sealed, "totp"));
  });

  it("opens nothing of which any byte was changed, taken away or added", () => {
    const sealed = box.seal("text", "totp");
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => box.open(`v1.${changed.toString("base64url")}`, "totp"), `byte ${at}`);
      assert.throws(
        () => box.open(`v1.${bytes.subarray(0, at).toString("base64url")}`, "totp"),
        `the first ${at}`,
      );
    }
    const longer = Buffer.concat([bytes, Buffer.from([0])]).toString("base64url");
    assert.throws(() => box.open(`v1.${longer}`, "totp"));
  });

  it("opens nothing that is not of its form", () => {
    const sealed = box.seal("text", "totp");
    for (const text of ["", "v1.", "text", sealed.slice(3), sealed.replace("v1.", "v2.")])
      assert.throws(() => box.open(text, "totp"), text);
  });
});

describe("mac", () => {
  it("is the same for the same text and purpose only", () => {
    const mac = box.mac("text", "code");
    assert.match(mac, /^[\w-]{43}$/u);
    assert.equal(box.mac("text", "code"), mac);
    assert.notEqual(box.mac("texu", "code"), mac);
    assert.notEqual(box.mac("text", "address"), mac);
    assert.notEqual(other.mac("text", "code"), mac);
  });
});
