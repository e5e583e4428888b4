/** Staff who import customers and products from files, one import after another, while the shop ends and starts. */
import { z } from "zod";
import { type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT } from "./staff.ts";

/** In more than one commit. */
const ROWS = 160;
/** Mean time between two imports, as a multiple of that between two orders of a buyer. */
const PAUSES = 5;
const LOOK_MS = 10_000;
const UNTIL_KNOWN = 60;

const kinds = ["customers", "products"] as const;
type Kind = (typeof kinds)[number];

const createdSchema = z.object({ id: z.string(), uploadId: z.string() });
const stateSchema = z.object({
  state: z.string(),
  counts: z.object({ created: z.int(), changed: z.int(), skipped: z.int(), failed: z.int() }),
});
const foundSchema = z.object({ items: z.array(z.unknown()), nextCursor: z.string().optional() });
type State = z.infer<typeof stateSchema>;

/** A file with records that no other file has. */
function toFile(kind: Kind, number: number): string {
  const lines = Array.from({ length: ROWS }, (_, row) =>
    kind === "customers"
      ? `import${number}x${row}@example.org,Name ${row},Berlin`
      : `import${number}x${row},Thing ${number} of ${row},${row + 1}.50`,
  );
  return [kind === "customers" ? "Email,Name,City" : "Slug,Title,Price", ...lines, ""].join("\n");
}

export class Imports implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #client: Client;
  readonly #done: { readonly kind: Kind; readonly number: number }[] = [];
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#client = new Client(parts, { name: "mover", port: SHOP_PORT, from: "10.9.9.5" });
  }

  async prepare(): Promise<void> {}

  work(day: WorkingDay): Promise<void>[] {
    return [this.#work(day)];
  }

  async #work(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    for (let number = 0; await day.rest(random.wait(PAUSES * pauseMs)); number += 1) {
      const kind = kinds[number % kinds.length] ?? "customers";
      await this.#import(kind, number, ROWS);
      // A second import of a file creates nothing.
      if (random.chance(0.3)) await this.#import(kind, number, 0);
    }
  }

  async #ask(path: string, call: Call, tries = UNTIL_KNOWN): Promise<unknown> {
    const headers = { ...call.headers, "x-admin-token": ADMIN_TOKEN };
    const answer = await this.#client.insist(path, { ...call, headers }, tries);
    // What had no answer may have happened: then it can't happen again.
    if (answer === undefined || (answer.status >= 400 && answer.status !== 409))
      throw new Violation(`mover: ${call.method} ${path} → ${JSON.stringify(answer)}`);
    return answer.json;
  }

  async #import(kind: Kind, number: number, created: number): Promise<void> {
    const text = toFile(kind, number);
    const body = { kind, fileName: `${kind}.csv`, sizeBytes: text.length };
    const { id, uploadId } = createdSchema.parse(
      await this.#ask("/api/admin/imports", { method: "POST", body }),
    );
    const path = `/api/admin/imports/${id}`;
    await this.#ask(`/api/admin/uploads/${uploadId}`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      bytes: new TextEncoder().encode(text),
    });
    await this.#ask(`${path}/check`, { method: "POST", body: {} });
    await this.#until(path, "checked");
    await this.#ask(`${path}/start`, { method: "POST" });
    // Some are stopped in the middle, and go on later.
    if (this.#parts.random.chance(0.5)) await this.#ask(`${path}/stop`, { method: "POST" });
    const { counts } = await this.#until(path, "done");
    this.acknowledged += 1;
    if (counts.created !== created || counts.failed > 0)
      throw new Violation(`An import of ${ROWS} ${kind} ended with ${JSON.stringify(counts)}`);
    if (created > 0) this.#done.push({ kind, number });
  }

  async #until(path: string, wanted: string): Promise<State> {
    for (let looks = 0; looks < 1_000; looks += 1) {
      await this.#parts.kernel.sleep(LOOK_MS);
      const found = stateSchema.parse(await this.#ask(path, { method: "GET" }));
      if (found.state === wanted) return found;
      if (found.state === "stopped") await this.#ask(`${path}/start`, { method: "POST" });
      else if (!["receiving", "checking", "checked", "running"].includes(found.state))
        throw new Violation(`An import that should be ${wanted} is ${found.state}`);
    }
    throw new Violation(`An import is not ${wanted}`);
  }

  async #list(path: string): Promise<unknown[]> {
    const { items, nextCursor } = foundSchema.parse(await this.#ask(path, { method: "GET" }));
    if (nextCursor === undefined) return items;
    const next = path.replace(/&cursor=.*|$/u, `&cursor=${encodeURIComponent(nextCursor)}`);
    return [...items, ...(await this.#list(next))];
  }

  async check(): Promise<void> {
    for (const { kind, number } of this.#done) {
      const words = kind === "customers" ? `import${number}x` : `Thing ${number}`;
      const found = await this.#list(`/api/admin/${kind}?q=${words}&limit=100`);
      // "Thing 1" finds "Thing 12" as well.
      const items = found.filter((item) => JSON.stringify(item).includes(`"import${number}x`));
      if (items.length !== ROWS)
        throw new Violation(`An import of ${ROWS} ${kind} left ${items.length} of them`);
    }
  }
}
