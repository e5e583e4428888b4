/** A picture and a sold file of a shop: what is served of them is what was uploaded, or nothing. */
import { z } from "zod";
import { type Answer, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

/** One pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** In bytes. */
const FILE_SIZE = 20_000;

const idSchema = z.object({ id: z.string() });
const picturesSchema = z.object({ items: z.tuple([z.object({ url: z.string() })]) });

/** Bytes, a character each. */
const toText = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

export class Shelf implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Staff;
  readonly #client: Client;
  /** What has to be served, by path. */
  readonly #expected = new Map<string, string>();
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
    this.#client = new Client(parts, { name: "shelf", port: SHOP_PORT, from: "10.7.0.1" });
  }

  async prepare(): Promise<void> {
    const { random } = this.#parts;
    const product = { title: "Guide", price: 700, deliveryType: "files" };
    const made = await this.#staff.must("/api/admin/products", { method: "POST", body: product }, 201);
    const path = `/api/admin/products/${idSchema.parse(made).id}`;
    const picture = {
      method: "POST",
      headers: { "content-type": "image/png" },
      bytes: Uint8Array.from(atob(PICTURE), (letter) => letter.charCodeAt(0)),
    } as const;
    const pictures = picturesSchema.parse(await this.#staff.must(`${path}/images`, picture, 201));
    const file = new Uint8Array(FILE_SIZE);
    random.fill(file);
    const begun = { fileName: "guide.bin", sizeBytes: FILE_SIZE };
    const upload = await this.#staff.must(`${path}/uploads`, { method: "POST", body: begun }, 201);
    const { id: uploadId } = idSchema.parse(upload);
    const part = {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      bytes: file,
    } as const;
    await this.#staff.must(`/api/admin/uploads/${uploadId}`, part, 200);
    const added = await this.#staff.must(`${path}/files`, { method: "POST", body: { uploadId } }, 201);
    this.#expected.set(`${path}/files/${idSchema.parse(added).id}/versions/1/content`, toText(file));
    const [{ url }] = pictures.items;
    const first = await this.#ask(url);
    if (first?.status !== 200) throw new Violation(`The picture that was uploaded gets ${first?.status}`);
    this.#expected.set(url, first.text);
  }

  #ask(path: string, tries?: number): Promise<Answer | undefined> {
    return this.#client.insist(path, { headers: { "x-admin-token": ADMIN_TOKEN } }, tries);
  }

  work(day: WorkingDay): readonly Promise<void>[] {
    return [...this.#expected.keys()].map((path) => this.#look(path, day));
  }

  async #look(path: string, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(pauseMs))) await this.#compare(path, 1);
  }

  /** Whether it was served. @throws Violation when it is something else */
  async #compare(path: string, tries?: number): Promise<boolean> {
    const answer = await this.#ask(path, tries);
    if (answer === undefined) return false;
    if (answer.status !== 200) throw new Violation(`${path} is there and gets ${answer.status}`);
    if (answer.text !== this.#expected.get(path)) throw new Violation(`${path} is served with other bytes`);
    this.acknowledged += 1;
    return true;
  }

  async check(): Promise<void> {
    for (const path of this.#expected.keys())
      if (!(await this.#compare(path))) throw new Violation(`${path} is not served any longer`);
  }
}
