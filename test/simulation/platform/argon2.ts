/** In place of `@node-rs/argon2`: the same texts around a quick hash. */
import { createHash } from "node:crypto";
import { takeRandomBytes } from "./random-pool.ts";

interface Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
  readonly outputLen: number;
}

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "");

function toHash(password: string, { memoryCost, timeCost, parallelism }: Cost, salt: string): string {
  const digest = createHash("sha256").update(`${salt} ${password}`).digest();
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${toText(digest)}`;
}

export async function hash(password: string, cost: Cost): Promise<string> {
  return toHash(password, cost, toText(takeRandomBytes(16)));
}

export function parseOptions(text: string): Cost & { readonly saltLen: number } {
  const found = /m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/u.exec(text);
  const [, memory, time, lanes, salt = "", digest = ""] = found ?? [];
  const sizeOf = (part: string): number => Buffer.from(part, "base64").length;
  return {
    memoryCost: Number(memory),
    timeCost: Number(time),
    parallelism: Number(lanes),
    saltLen: sizeOf(salt),
    outputLen: sizeOf(digest),
  };
}

export async function verify(text: string, password: string): Promise<boolean> {
  const salt = text.split("$").at(-2) ?? "";
  return toHash(password, parseOptions(text), salt) === text;
}
