/** What imports say of rows, pictures, files and undone records is a text in every language of the console. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { OutboundOutcome } from "../../../src/kit/outbound/outbound.ts";
import { formatText } from "../../../src/kit/text/message.ts";
import type {
  ImportFaultView,
  ImportItemView,
  ImportPictureView,
} from "../../../src/shop/imports/answer-schema.ts";
import { sayMessage } from "../../../src/shop/imports/said.ts";
import { projectFolder } from "../../support/process.ts";
import { png } from "../../auth/pictures.ts";
import { read } from "../app-fixture.ts";
import {
  PATH,
  type ImportRoom,
  createPictureServer,
  createRoom,
  listFaults,
  readSample,
} from "./import-room.ts";

type Said = ImportFaultView["text"];
type Texts = Readonly<Record<string, string>>;

async function readTexts(language: string): Promise<Texts> {
  const rooms = ["shop-import", "web-shop"].map((room) =>
    readFile(join(projectFolder, "src/texts", language, `${room}.json`), "utf8"),
  );
  return Object.assign({}, ...(await Promise.all(rooms)).map((room) => JSON.parse(room) as Texts)) as Texts;
}

/** Sentences that are English in another language, or have places without values. */
async function listFaulty(all: readonly { message: string; said: Said }[]): Promise<string[]> {
  const faulty: string[] = [];
  for (const language of ["de", "zh"]) {
    const texts = await readTexts(language);
    for (const { message, said } of all) {
      const own = said === undefined || said.key === "import.other" ? undefined : texts[said.key];
      const words = own === undefined ? undefined : formatText(language, own, said?.values);
      if (words === undefined || words === message || /[{}]/u.test(words))
        faulty.push(`${language}: ${message}`);
    }
  }
  return faulty;
}

async function collect(room: ImportRoom, id: string): Promise<{ message: string; said: Said }[]> {
  const faults = [...(await listFaults(room, id)), ...(await listFaults(room, id, "run"))];
  return faults.map(({ message, text }) => ({ message, said: text }));
}

describe("sentences of imports", () => {
  it("about rows are texts of German and Chinese, with their values", async () => {
    const room = await createRoom();
    const long = "x".repeat(250);
    const files = [
      [
        "products",
        `Handle,Title,Variant Price,Variant SKU,Variant Inventory Qty,Variant Grams\na,A,"1,234",A1,3,\nb,B,5 USD,B1,3,\nc,,5,C1,3,\nd,D,5,D1,many,heavy\ne,${long},5,E1,3,\nf,F,5.123,F1,3,\ng,G,five,G1,3,\nh,H,-5,H1,3,\na,A2,5,A2,3,\ni,I,5,I1,3,,more\nj,J,"1,2,3",J1,1,\nk,K,999999999999999999,K1,1,\n`,
      ],
      [
        "products",
        `ID,Type,SKU,Name,Regular price,Parent\n1,variation,,V,5,XX\n2,external,,E,5,\n3,simple,,Many,5,\n`,
      ],
      [
        "products",
        "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant SKU\na,A,Size,S,5,X\na,,,M,5,X\n",
      ],
      ["products", "a;b\n1;2\n"],
      ["products", new TextDecoder().decode(await readSample("shopify-customers.csv"))],
      ["customers", new TextDecoder().decode(await readSample("shopify-customers.csv"))],
      [
        "customers",
        `Email,Name,VAT ID,Country,Note,Newsletter,Consent date\na@example.org,${long},DE123456789,Nowhere,${"y".repeat(4_100)},yes,31/31/2026\nb@example.org,B,,,,yes,01/02/2026\n`,
      ],
      [
        "customers",
        `Email,Tags\na@example.org,"${Array.from({ length: 60 }, (_, at) => `t${at}`).join(",")}"\n`,
      ],
      ["coupons", new TextDecoder().decode(await readSample("shopify-discounts.csv"))],
      ["coupons", new TextDecoder().decode(await readSample("woocommerce-coupons.csv"))],
      [
        "coupons",
        `Code,Discount,Start,End,Usage limit\nA,0.5%,,,\nB,5,,,\nC,10%,2026-02-01,2026-01-01,\nD,10%,never,,\nE,10%,,,few\n,10%,,,\nF,10 USD,,,\n${"G".repeat(70)},10%,,,\n`,
      ],
    ] as const;
    const all: { message: string; said: Said }[] = [];
    for (const [kind, csv] of files) all.push(...(await collect(room, (await room.check(csv, { kind })).id)));
    assert.ok(all.length > 45, String(all.length));
    assert.ok(new Set(all.map(({ said }) => said?.key)).size > 30);
    assert.deepEqual(await listFaulty(all), []);
  });

  it("about files that cannot be read, and about archives", async () => {
    const room = await createRoom();
    const all: { message: string; said: Said }[] = [];
    const files = [
      "",
      " ",
      'Title,Price\nA,"5\nB,6\n',
      "PK\u0003\u0004 no",
      `${"a,".repeat(2_100)}\n`,
      'Title,Price\nA"b",5\n',
    ];
    for (const file of files.slice(1)) {
      const { state, failure = "", failureText } = await room.check(file);
      assert.equal(state, "failed", file.slice(0, 20));
      all.push({ message: failure, said: failureText });
    }
    const damaged = await room.take("Title,Price,Image\nA,5,a.png\n", {}, new Uint8Array(50));
    assert.equal(damaged.state, "stopped");
    all.push({ message: damaged.failure ?? "", said: damaged.failureText });
    assert.deepEqual(await listFaulty(all), []);
  });

  it("about pictures, and about what an undo keeps", async () => {
    const host = "https://cdn.example.com";
    const bytes = new TextEncoder().encode("<html>");
    const answer = (status: number): OutboundOutcome => ({ kind: "answered", status, text: "" });
    const refused = (reason: string): OutboundOutcome => ({ kind: "refused", reason });
    const answers: Readonly<Record<string, OutboundOutcome>> = {
      [`${host}/1`]: answer(404),
      [`${host}/2`]: answer(403),
      [`${host}/3`]: answer(418),
      [`${host}/4`]: { kind: "answered", status: 200, text: "", bytes },
      [`${host}/5`]: answer(200),
      [`${host}/6`]: refused(
        '"cdn.example.com" is at 10.0.0.1, a private address; set NOTIFY_PRIVATE=1 to allow that',
      ),
      [`${host}/7`]: refused('"cdn.example.com" redirects more than 5 times'),
      [`${host}/8`]: {
        kind: "answered",
        status: 200,
        text: "",
        bytes: new TextEncoder().encode("GIF89a......"),
      },
      [`${host}/9`]: refused("The URL must be a URL that starts with http:// or https://"),
      [`${host}/10`]: { kind: "answered", status: 200, text: "", bytes: png(9_000, 1) },
    };
    const server = createPictureServer(answers);
    const room = await createRoom({ pictureOutbound: server.outbound });
    const urls = [...Object.keys(answers), "lost.png"].join("|");
    const done = await room.take(`Title;Price;Images\nMug;5;${urls}\nCup;5;\n`);
    const { items } = await read<{ items: ImportPictureView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/pictures?limit=50`),
    );
    assert.equal(items.length, Object.keys(answers).length + 1);
    const all = items.map(({ reason = "", reasonText }) => ({ message: reason, said: reasonText }));
    const { items: stored } = await read<{ items: ImportItemView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/items`),
    );
    const path = `/api/admin/products/${stored[1]?.targetId ?? ""}`;
    await read(await room.shop.admin("PATCH", path, { title: "My cup" }));
    await room.move(done.id, "undo");
    await room.run();
    const { items: kept } = await read<{ items: ImportItemView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/items?undo=kept`),
    );
    assert.deepEqual(
      kept.map(({ title, reasonText }) => [title, reasonText?.key]),
      [["Cup", "import.undo.changed"]],
    );
    all.push(...kept.map(({ reason = "", reasonText }) => ({ message: reason, said: reasonText })));
    assert.deepEqual(await listFaulty(all), []);
  });

  it("of other parts of the shop are known by their form", async () => {
    const messages = [
      "No response within 15 s",
      'The certificate of "a.example" is not trusted (CERT_HAS_EXPIRED)',
      '"a.example" refused the connection. Check the URL and its port',
      'The connection to "a.example" failed (ECONNRESET)',
      'The name "a.example" could not be resolved',
      '"a.example" redirects from https to http. Set a URL that does not redirect',
      '"127.0.0.1" is a reserved address that Trivet never connects to',
      "This product was sold 3 times",
      "3 units of this product are reserved by unpaid orders",
      "This product has 3 license keys",
      "This product has files attached",
      "must be at most 10000: hundredths of a percent",
      "belongs to another product",
    ];
    assert.deepEqual(
      await listFaulty(messages.map((message) => ({ message, said: sayMessage(message).text }))),
      [],
    );
  });
});
