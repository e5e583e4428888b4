// Verifies a license file without a network. Node.js 20 or newer, no packages.
//   node --import tsx verify-license.ts FILE PUBLIC_KEY PRODUCT_ID [FINGERPRINT]
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";

/** Devices may be a day wrong. */
const CLOCK_SECONDS = 86_400;

function decode(text: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  // Node accepts other spellings of the same bytes: a changed file must not pass.
  if (bytes.toString("base64url") !== text) throw new Error("the file was changed");
  return bytes;
}

export function verifyLicense(
  file: string,
  expected: { publicKey: string; productId: number; fingerprint?: string | undefined; nowSeconds: number },
): Record<string, unknown> {
  const [header = "", payload = "", signature = "", ...more] = file.trim().split(".");
  if (more.length > 0 || signature === "") throw new Error("this is no license file");
  const { alg, typ } = JSON.parse(decode(header).toString("utf8"));
  if (alg !== "EdDSA" || typ !== "license+jwt") throw new Error("this is no license file");
  const jwk = { kty: "OKP", crv: "Ed25519", x: expected.publicKey };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, decode(signature)))
    throw new Error("the signature is wrong");
  const license = JSON.parse(decode(payload).toString("utf8"));
  const { nowSeconds } = expected;
  if (license.product_id !== expected.productId) throw new Error("the license is for another product");
  if (license.iat > nowSeconds + CLOCK_SECONDS) throw new Error("the clock of this device is wrong");
  if (license.exp <= nowSeconds) throw new Error("the file has expired: connect to the internet to renew it");
  if (license.fingerprint !== null && license.fingerprint !== expected.fingerprint)
    throw new Error("the license is for another device");
  return license;
}

const [file, publicKey, productId, fingerprint] = process.argv.slice(2);
if (file !== undefined && publicKey !== undefined)
  try {
    const license = verifyLicense(readFileSync(file, "utf8"), {
      publicKey,
      productId: Number(productId),
      fingerprint,
      nowSeconds: Date.now() / 1_000,
    });
    console.log(`valid: ${String(license["product_name"])}`);
  } catch (error) {
    console.log(`invalid: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
