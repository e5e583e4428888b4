/** Customers of other shops: what is read, what is left out and said, how they join accounts, and how they leave again. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportItemView } from "../../../src/shop/imports/answer-schema.ts";
import type { CustomerView } from "../../../src/shop/customers/view-schema.ts";
import { customerProfiles, customers } from "../../../src/shop/customers/records.ts";
import { code, read } from "../app-fixture.ts";
import { addProduct, order } from "../goods.ts";
import { PATH, type ImportRoom, createRoom, listFaults, readSample } from "./import-room.ts";

async function listCustomers({ shop }: ImportRoom, query = ""): Promise<CustomerView[]> {
  const found = await shop.admin("GET", `/api/admin/customers?limit=100${query}`);
  return (await read<{ items: CustomerView[] }>(found)).items;
}

async function find(room: ImportRoom, email: string): Promise<CustomerView> {
  const found = (await listCustomers(room)).find((one) => one.email === email);
  assert.ok(found);
  return found;
}

const kind = "customers";

describe("an import of customers", () => {
  it("of Shopify is tried, names what it leaves out, and is known by email address", async () => {
    const room = await createRoom();
    const trial = await room.check(await readSample("shopify-customers.csv"), { kind });
    assert.deepEqual(
      [trial.source, trial.trial.created, trial.trial.failed, trial.trial.noted],
      ["shopify", 2, 3, 2],
    );
    assert.deepEqual(trial.preview[0]?.detail, "Anna Jansen, Utrecht, NL");
    assert.deepEqual(await listCustomers(room), []);
    const faults = (await listFaults(room, trial.id)).toSorted((a, b) => a.line - b.line);
    assert.deepEqual(
      faults.map(({ line, level, column, text }) => [line, level, column, text?.key]),
      [
        [2, "note", "Accepts Email Marketing", "import.customer.consent"],
        [3, "note", "Tax Exempt", "import.customer.taxExempt"],
        [4, "error", "Email", "import.required"],
        [5, "error", "Email", "import.customer.email"],
        [6, "error", "Email", "import.customer.twin"],
      ],
    );
    await room.move(trial.id, "start");
    await room.run();
    const anna = await find(room, "anna.jansen@example.org");
    assert.deepEqual(
      [anna.name, anna.phone, anna.tags, anna.orders, anna.note, anna.marketingSince, anna.userId],
      ["Anna Jansen", "+31612345678", ["vip", "wholesale"], 0, "Rings twice", undefined, undefined],
    );
    assert.deepEqual(anna.addresses, [
      {
        name: "Anna Jansen",
        company: "Jansen BV",
        line1: "Dorpsstraat 1",
        line2: "2e verdieping",
        city: "Utrecht",
        postalCode: "1234 AB",
        country: "NL",
        phone: "+31612345678",
      },
    ]);
    assert.deepEqual(
      (await listCustomers(room, "&q=jansen")).map(({ id }) => id),
      [anna.id],
    );
    const csv = await (await room.shop.admin("GET", "/api/admin/customers/export")).text();
    assert.match(csv, /anna\.jansen@example\.org,0,0,.*,Rings twice,false,false,Anna Jansen,Jansen BV,/u);
  });

  it("of WooCommerce brings both addresses and a valid VAT ID, and never a password", async () => {
    const room = await createRoom();
    const done = await room.take(await readSample("woocommerce-customers.csv"), { kind });
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["woocommerce", 2, 0]);
    const kaethe = await find(room, "kaethe@example.org");
    assert.deepEqual(
      kaethe.addresses?.map(({ line1, city, country }) => [line1, city, country]),
      [
        ["Lagerweg 2", "Potsdam", "DE"],
        ["Hauptstraße 5", "Berlin", "DE"],
      ],
    );
    assert.deepEqual([kaethe.vatId, kaethe.customerSince?.slice(0, 10)], ["DE136695976", "2021-03-04"]);
    const stored = await room.shop.store.read((tx) => tx.list(customerProfiles, "id", { limit: 10 }));
    assert.doesNotMatch(JSON.stringify(stored.items), /Bgk6ue/u);
  });

  it("keeps consent to marketing only with its date, in the file's time zone", async () => {
    const room = await createRoom();
    const csv =
      "E-Mail;Name;Newsletter;Einwilligung am;Quelle der Einwilligung;Land\n" +
      "a@example.org;A;ja;04.03.2021 08:15;Formular;Deutschland\n" +
      "b@example.org;B;ja;;;Niederlande\n" +
      "c@example.org;C;nein;04.03.2021;;Atlantis\n" +
      "d@example.org;D;ja;01/02/2021;;法国\n";
    const done = await room.take(csv, { kind, timeZone: "Europe/Berlin" });
    assert.deepEqual([done.counts.created, done.counts.noted], [4, 3]);
    const [a, b, c, d] = await Promise.all(
      ["a", "b", "c", "d"].map((name) => find(room, `${name}@example.org`)),
    );
    assert.deepEqual(
      [a?.marketingSince, a?.marketingSource, a?.addresses],
      ["2021-03-04T07:15:00.000+00:00", "Formular", [{ name: "A", country: "DE" }]],
    );
    assert.deepEqual(
      [b?.marketingSince, c?.marketingSince, d?.marketingSince],
      [undefined, undefined, undefined],
    );
    assert.deepEqual([b?.addresses?.[0]?.country, d?.addresses?.[0]?.country], ["NL", "FR"]);
    const notes = await listFaults(room, done.id, "run");
    assert.deepEqual(
      notes.map(({ text }) => text?.key),
      ["import.customer.consent", "import.customer.country", "import.coupon.dateTwo"],
    );
  });

  it("takes one customer from many sales of Gumroad", async () => {
    const room = await createRoom();
    const done = await room.take(
      "Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Do not contact?,Purchase Date,Street Address,City,Zip Code,State,Country,Item Price ($)\n" +
        "1,Icons,Ann,ann@example.org,other@example.org,0,2024-05-01,1 Main St,Denver,80202,CO,United States,9\n" +
        "2,Fonts,Ann,ann@example.org,other@example.org,0,2025-05-01,1 Main St,Denver,80202,CO,United States,9\n" +
        "Totals,,,,,,,,,,,,18\n",
      { kind },
    );
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["gumroad", 1, 0]);
    const ann = await find(room, "ann@example.org");
    assert.deepEqual(
      [ann.name, ann.addresses?.[0]?.country, ann.customerSince?.slice(0, 10)],
      ["Ann", "US", "2024-05-01"],
    );
  });

  it("updates on a second import, and undo restores or removes, but for who signed in since", async () => {
    const room = await createRoom();
    const first = await room.take(
      "Email,Name,Tags,Note\nann@example.org,Ann,vip,old\nbob@example.org,Bob,,\n",
      { kind },
    );
    assert.equal(first.counts.created, 2);
    const second = await room.take(
      "Email,Name,Tags,Note\nann@example.org,Ann Lee,new,more\ncat@example.org,Cat,,\n",
      {
        kind,
      },
    );
    assert.deepEqual([second.counts.created, second.counts.changed], [1, 1]);
    const ann = await find(room, "ann@example.org");
    assert.deepEqual([ann.name, ann.tags, ann.note], ["Ann Lee", ["vip", "new"], "old\n\nmore"]);
    await room.move(second.id, "undo");
    await room.run();
    const before = await find(room, "ann@example.org");
    assert.deepEqual([before.name, before.tags, before.note], ["Ann", ["vip"], "old"]);
    assert.equal((await listCustomers(room)).length, 2);
    // Ann signs in and opens the checkout: the profile is theirs now.
    await room.shop.shop.joinProfile("usr_ann", ["ann@example.org"]);
    await room.move(first.id, "undo");
    await room.run();
    const undone = await room.get(first.id);
    assert.deepEqual([undone.state, undone.undone, undone.kept], ["undone", 1, 1]);
    const { items } = await read<{ items: ImportItemView[] }>(
      await room.shop.admin("GET", `${PATH}/${first.id}/items?undo=kept`),
    );
    assert.deepEqual(
      items.map(({ title, reasonText }) => [title, reasonText?.key]),
      [["ann@example.org", "import.undo.joined"]],
    );
    assert.deepEqual(
      (await listCustomers(room)).map(({ email, userId }) => [email, userId]),
      [["ann@example.org", "usr_ann"]],
    );
  });

  it("leaves anonymized customers alone, and its data go with the customer", async () => {
    const room = await createRoom();
    await room.take("Email,Name\nann@example.org,Ann\n", { kind });
    const { id } = await find(room, "ann@example.org");
    await read(await room.shop.admin("POST", `/api/admin/customers/${id}/anonymise`));
    assert.equal(await room.shop.store.read((tx) => tx.count(customerProfiles)), 0);
    assert.deepEqual(await listCustomers(room), []);
    const again = await room.check("Email,Name\nann@example.org,Ann\n", { kind });
    assert.deepEqual([again.trial.created, again.trial.failed], [0, 1]);
    assert.equal((await listFaults(room, again.id))[0]?.text?.key, "import.customer.erased");
  });

  it("needs the scope of customers besides that of products", async () => {
    const room = await createRoom();
    const done = await room.take("Email,Name\nann@example.org,Ann\n", { kind });
    const made = await read<{ key: string }>(
      await room.shop.admin("POST", "/api/admin/api-keys", { name: "stock", scopes: ["products:write"] }),
      201,
    );
    const headers = { authorization: `Bearer ${made.key}`, "content-type": "application/json" };
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      room.shop.fetch(path, { ...init, headers });
    assert.deepEqual(await code(await ask(`${PATH}/${done.id}`)), [403, "insufficient_scope"]);
    assert.deepEqual(await code(await ask(`${PATH}/${done.id}/faults`)), [403, "insufficient_scope"]);
    assert.deepEqual(await code(await ask(`${PATH}/${done.id}/undo`, { method: "POST" })), [
      403,
      "insufficient_scope",
    ]);
    assert.deepEqual((await read<{ items: unknown[] }>(await ask(PATH))).items, []);
    const body = JSON.stringify({ kind, fileName: "a.csv", sizeBytes: 5 });
    assert.deepEqual(await code(await ask(PATH, { method: "POST", body })), [403, "insufficient_scope"]);
  });
});

describe("an imported customer who signs in", () => {
  it("is joined by a verified address alone, which must be the same", async () => {
    const room = await createRoom();
    await room.take("Email,Name,Address,City,Country\nann@example.org,Ann,1 Main St,Berlin,DE\n", { kind });
    const { joinProfile } = room.shop.shop;
    assert.equal(await joinProfile("usr_eve", ["ann+1@example.org"]), undefined);
    const joined = await joinProfile("usr_ann", ["other@example.org", "ANN@example.org"]);
    assert.equal(joined?.account, "usr_ann");
    assert.equal(await joinProfile("usr_eve", ["ann@example.org"]), undefined);
    const ann = await find(room, "ann@example.org");
    assert.deepEqual([ann.id, ann.userId, ann.name], ["usr_ann", "usr_ann", "Ann"]);
    assert.equal(await room.shop.store.read((tx) => tx.count(customers)), 0);
  });
});

describe("an imported customer", () => {
  const file =
    "Email,Name,Phone,Tags,Address,City,Country,Accepts Email Marketing,Consent date\n" +
    'ann@example.org,Ann,123,"vip, trade",1 Main St,Berlin,DE,yes,2024-03-01\n';
  const change = (room: ImportRoom, id: string, body: object): Promise<Response> =>
    room.shop.admin("PATCH", `/api/admin/customers/${id}`, body);

  it("is corrected, and the consent withdrawn, with the names of fields in the audit alone", async () => {
    const room = await createRoom();
    await room.take(file, { kind });
    const { id, version, marketingSince } = await find(room, "ann@example.org");
    assert.ok(marketingSince);
    const address = { name: "Ann Roe", line1: "2 Side St", city: "Potsdam", country: "DE" };
    const body = { name: "Ann Roe", phone: null, vatId: "de 136 695 976", tags: ["vip"], version };
    const changed = await read<CustomerView>(await change(room, id, { ...body, addresses: [address] }));
    assert.deepEqual(
      [changed.name, changed.phone, changed.vatId, changed.tags, changed.addresses, changed.marketingSince],
      ["Ann Roe", undefined, "DE136695976", ["vip"], [address], marketingSince],
    );
    assert.deepEqual(await code(await change(room, id, body)), [409, "version_conflict"]);
    const without = await read<CustomerView>(await change(room, id, { marketing: null }));
    assert.deepEqual([without.marketingSince, without.name], [undefined, "Ann Roe"]);
    const { items } = await read<{ items: { action: string; changes: string[] }[] }>(
      await room.shop.admin("GET", "/api/admin/audit?action=customer.change"),
    );
    assert.deepEqual(
      items.map(({ changes }) => changes),
      [["marketing"], ["name", "phone", "vatId", "tags", "addresses"]],
    );
  });

  it("keeps corrections when the import is undone", async () => {
    const room = await createRoom();
    const done = await room.take(file, { kind });
    const { id } = await find(room, "ann@example.org");
    await change(room, id, { company: "Roe Ltd" });
    await room.move(done.id, "undo");
    await room.run();
    assert.equal((await find(room, "ann@example.org")).company, "Roe Ltd");
  });

  it("keeps what is wrong out: VAT IDs, unknown members, a consent, and details of others", async () => {
    const room = await createRoom();
    await room.take(file, { kind });
    const { id } = await find(room, "ann@example.org");
    for (const [body, pointer] of [
      [{ vatId: "DE136695975" }, "/vatId"],
      [{ vatId: "GR094259216" }, "/vatId"],
      [{ addresses: [{ country: "Germany" }] }, "/addresses/0/country"],
      [{ marketing: { agreedAt: 1, source: "phone" } }, "/marketing"],
      [{ since: 1 }, ""],
    ] as const) {
      const answer = await change(room, id, body);
      const { errors } = await read<{ errors: { pointer: string }[] }>(answer, 422);
      assert.equal(errors[0]?.pointer, pointer);
    }
    assert.equal((await find(room, "ann@example.org")).vatId, undefined);
  });

  it("of this shop has no such details", async () => {
    const room = await createRoom();
    const { order: placed } = await order(room.shop, [{ productId: (await addProduct(room.shop)).id }]);
    const buyer = await find(room, placed.email);
    assert.deepEqual(await code(await change(room, buyer.id, { name: "Bo" })), [409, "conflict"]);
    assert.deepEqual((await change(room, buyer.id, { note: "calls back" })).status, 200);
  });
});
