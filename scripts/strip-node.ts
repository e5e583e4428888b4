/** `node --import tsx scripts/strip-node.ts FROM TO`: Node without its symbols, for the image; any processor's. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { stripSymbols } from "../src/runtime/strip-symbols.ts";

const [from = "", to = ""] = process.argv.slice(2);
await writeFile(to, stripSymbols(await readFile(from)));
await chmod(to, 0o755);
