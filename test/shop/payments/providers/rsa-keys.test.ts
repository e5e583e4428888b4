/** RSA keys in every form that people paste, and what is said of those that cannot be used. */
import assert from "node:assert/strict";
import {
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
} from "node:crypto";
import { describe, it } from "node:test";
import {
  findPrivateKeyProblem,
  findPublicKeyProblem,
  hasOwnKey,
  isRsaSignature,
  KeyFault,
  readPublicKeys,
  signRsa,
} from "../../../../src/shop/payments/signing/rsa-keys.ts";
import {
  ownKey,
  ownPublicKey,
  SERVICE_SERIAL,
  serviceCertificate,
  serviceKey,
  servicePublicKey,
  shortKey,
} from "../gateways/rsa-pairs.ts";

const toBare = (pem: string): string => pem.replaceAll(/-----[A-Z ]+-----|\s/gu, "");
const pkcs1 = createPrivateKey(ownKey).export({ type: "pkcs1", format: "pem" }).toString();
const publicPkcs1 = createPublicKey(ownPublicKey).export({ type: "pkcs1", format: "pem" }).toString();
const text = "数字签名 & =";

describe("a private key", () => {
  it("signs the same in every form", async () => {
    const expected = createSign("RSA-SHA256").update(text).sign(ownKey, "base64");
    const forms = [
      ownKey,
      pkcs1,
      toBare(ownKey),
      toBare(pkcs1),
      ownKey.replaceAll("\n", "\r\n"),
      `\n ${pkcs1} \n`,
    ];
    for (const form of forms) {
      assert.equal(findPrivateKeyProblem(form), undefined);
      assert.equal(await signRsa(form, text), expected);
    }
  });

  it("that cannot be used is named with the reason, and without the key", async () => {
    const { privateKey: ec } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const locked = createPrivateKey(ownKey).export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    });
    const lockedOld =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,1\n\nAAAA\n-----END RSA PRIVATE KEY-----";
    const cases: [string, RegExp][] = [
      ["", /is empty/u],
      ["hello, this is no key!", /not base64/u],
      ["aGVsbG8=", /not a (?:base64-encoded )?key/u],
      [ownPublicKey, /is public/u],
      [toBare(ownPublicKey), /is public/u],
      [serviceCertificate, /is public/u],
      [locked.toString(), /passphrase/u],
      [lockedOld, /passphrase/u],
      [shortKey, /1024 bits instead of at least 2048/u],
      [ec.export({ type: "pkcs8", format: "pem" }).toString(), /not an RSA key/u],
      [ownKey.slice(0, 800), /END/u],
      [`${toBare(ownKey).slice(0, 800)}`, /incomplete/u],
      [ownKey + serviceKey, /more than one/u],
    ];
    for (const [key, reason] of cases)
      assert.match(findPrivateKeyProblem(key) ?? "", reason, key.slice(0, 40));
    await assert.rejects(signRsa("aGVsbG8=", text), KeyFault);
  });
});

describe("a public key", () => {
  it("checks signatures in every form, certificates with their serial number", async () => {
    const signature = createSign("RSA-SHA256").update(text).sign(ownKey, "base64");
    for (const form of [ownPublicKey, toBare(ownPublicKey), publicPkcs1, toBare(publicPkcs1)]) {
      const [key] = readPublicKeys(form);
      assert.ok(key !== undefined && key.serial === undefined);
      assert.equal(await isRsaSignature(key, { content: text, signature }), true);
      assert.equal(await isRsaSignature(key, { content: `${text}!`, signature }), false);
      for (const wrong of ["", "AAAA", "not base64", signature.slice(4)])
        assert.equal(await isRsaSignature(key, { content: text, signature: wrong }), false);
    }
    const keys = readPublicKeys(`${ownPublicKey}\n${serviceCertificate}`);
    assert.deepEqual(
      keys.map(({ serial }) => serial),
      [undefined, SERVICE_SERIAL],
    );
    const [, certified] = keys;
    const byService = createSign("RSA-SHA256").update(text).sign(serviceKey, "base64");
    assert.ok(certified !== undefined);
    assert.equal(await isRsaSignature(certified, { content: text, signature: byService }), true);
  });

  it("that cannot be used is named with the reason", () => {
    const { publicKey: ec } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const cases: [string, RegExp][] = [
      ["", /is empty/u],
      [ownKey, /is private/u],
      [toBare(ownKey), /is private/u],
      [toBare(pkcs1), /is private/u],
      [createPublicKey(shortKey).export({ type: "spki", format: "pem" }).toString(), /too short/u],
      [ec.export({ type: "spki", format: "pem" }).toString(), /not an RSA key/u],
      ["aGVsbG8=", /not a (?:base64-encoded )?key/u],
    ];
    for (const [key, reason] of cases)
      assert.match(findPublicKeyProblem(key) ?? "", reason, key.slice(0, 40));
  });

  it("is known for one's own", () => {
    assert.equal(hasOwnKey(pkcs1, toBare(ownPublicKey)), true);
    assert.equal(hasOwnKey(ownKey, `${servicePublicKey}${publicPkcs1}`), true);
    assert.equal(hasOwnKey(serviceKey, serviceCertificate), true);
    assert.equal(hasOwnKey(ownKey, servicePublicKey + serviceCertificate), false);
    assert.equal(hasOwnKey("", ""), false);
  });
});

describe("signatures", () => {
  it("are taken by Node's own check", async () => {
    const signature = await signRsa(pkcs1, text);
    assert.equal(createVerify("RSA-SHA256").update(text).verify(ownPublicKey, signature, "base64"), true);
  });
});
