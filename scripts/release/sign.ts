/** Signatures of a release in the format of minisign, made and checked by that program: https://jedisct1.github.io/minisign/ */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { runProgram } from "../process.ts";

const ABSENT = "minisign was not found. Install it (Debian: apt install minisign)";

/** The key in a minisign.pub: its last line. @throws Error when the file holds none */
export async function readPublicKey(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`The public key "${file}" cannot be read. It belongs beside the secret key`);
  });
  const key = text.trim().split(/\r?\n/u).at(-1) ?? "";
  if (!/^RW[A-Za-z0-9+/]{54}$/u.test(key)) throw new Error(`"${file}" is not a public key of minisign`);
  return key;
}

/**
 * Signs each file beside itself (.minisig). minisign asks for the password of the key once.
 * @param comment trusted comment of all: the same for two builds, so that the signatures are the same
 * @throws Error when minisign is missing or fails
 */
export async function signFiles(files: readonly string[], key: string, comment: string): Promise<void> {
  const args = ["-S", "-s", key, "-t", comment, "-c", comment, "-m", ...files];
  const child = spawn("minisign", args, { stdio: ["inherit", "ignore", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", () => reject(new Error(ABSENT)));
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`minisign could not sign with "${key}"`);
}

/** @throws Error when the signature is not one of `publicKey` over `file` */
export async function checkSignature(file: string, publicKey: string): Promise<void> {
  const args = ["-V", "-q", "-m", file, "-P", publicKey];
  const { code, output } = await runProgram("minisign", args, { cwd: ".", timeoutMs: 30_000 });
  if (code === undefined) throw new Error(ABSENT);
  if (code !== 0) throw new Error(`The signature of "${file}" is invalid: ${output.trim()}`);
}
