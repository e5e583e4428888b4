/** The email addresses of an account: verified before use, and unique to it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { listEventKinds } from "../http/token-requests.ts";

const MINUTE = 60_000;
const WORK = "ann@work.example";

interface Address {
  readonly id: string;
  readonly address: string;
  readonly primary: boolean;
  readonly verified: boolean;
  readonly purposes: readonly string[];
}

let app: TestApp;
let ann: SignedIn;
let bob: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
  bob = await app.signUp("bob");
});

const send = (who: SignedIn, method: string, path = "", body?: unknown): Promise<Response> =>
  app.send(method, `/api/auth/emails${path}`, { body, token: who.accessToken });

async function list(who: SignedIn): Promise<Address[]> {
  return (await read<{ items: Address[] }>(await send(who, "GET"), 200)).items;
}

async function add(who: SignedIn, address: string, purposes?: readonly string[]): Promise<Address> {
  const body = { address, ...(purposes === undefined ? {} : { purposes }) };
  return read<Address>(await send(who, "POST", "", body), 201);
}

const verify = (who: SignedIn, id: string, value: string): Promise<Response> =>
  send(who, "POST", `/${id}/verify`, { code: value });

/** Adds an address and proves it. */
async function addProved(who: SignedIn, address: string, purposes?: readonly string[]): Promise<Address> {
  const { id } = await add(who, address, purposes);
  const proved = await read<Address>(await verify(who, id, await app.codeFor(address)), 200);
  // Mails and events of one millisecond have no order.
  app.clock.advance(1);
  return proved;
}

async function canSignIn(identifier: string): Promise<boolean> {
  const response = await app.send("POST", "/api/auth/login", { body: { identifier, password: PASSWORD } });
  return response.status === 200;
}

describe("adding an address", () => {
  it("keeps it unverified, lists it after the primary one, and sends it a code", async () => {
    const made = await add(ann, WORK);
    assert.deepEqual([made.primary, made.verified, made.purposes], [false, false, ["login", "recovery"]]);
    const items = await list(ann);
    assert.deepEqual(
      items.map(({ id, address, primary, verified }) => ({ id, address, primary, verified })),
      [
        { id: "primary", address: "ann@example.org", primary: true, verified: true },
        { id: made.id, address: WORK, primary: false, verified: false },
      ],
    );
    assert.match(await app.codeFor(WORK), /^\d{8}$/u);
    assert.deepEqual(await app.mailsTo("ann@example.org"), []);
  });

  it("is refused for the same address twice, in any case, and for the primary one", async () => {
    await add(ann, WORK);
    for (const address of [WORK, "ANN@Work.Example", "ann@example.org", "Ann@Example.org"])
      assert.deepEqual(
        await code(await send(ann, "POST", "", { address })),
        [409, "already_exists"],
        address,
      );
  });

  it("ends at five further ones", async () => {
    for (let count = 0; count < 5; count += 1) await add(ann, `ann${count}@work.example`);
    assert.deepEqual(await code(await send(ann, "POST", "", { address: WORK })), [409, "email_limit"]);
    assert.equal((await list(ann)).length, 6);
  });

  it("holds five also when ten come at once", async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_none, index) =>
        send(ann, "POST", "", { address: `ann${index}@work.example` }),
      ),
    );
    assert.equal((await list(ann)).length, 6);
  });

  it("keeps each purpose once", async () => {
    const made = await add(ann, WORK, ["notify", "notify", "login"]);
    assert.deepEqual(made.purposes, ["notify", "login"]);
  });

  it("requires a recent sign-in by the owner, not by an impersonator", async () => {
    const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
      minutes: 10,
      reason: "test",
    });
    const { accessToken }: { accessToken: string } = await opened.json();
    const further = await addProved(ann, "ann@home.example");
    const calls: readonly (readonly [string, string, unknown])[] = [
      ["POST", "", { address: WORK }],
      ["POST", `/${further.id}/primary`, undefined],
      ["PATCH", `/${further.id}`, { purposes: [] }],
      ["DELETE", `/${further.id}`, undefined],
    ];
    const stranger = { ...ann, accessToken };
    for (const [method, path, body] of calls)
      assert.deepEqual(await code(await send(stranger, method, path, body)), [403, "forbidden"], method);
    for (const path of [`/${further.id}/verify`, `/${further.id}/send-code`])
      assert.deepEqual(
        await code(await send(stranger, "POST", path, path.endsWith("verify") ? { code: "1" } : undefined)),
        [403, "forbidden"],
      );
    app.clock.advance(10 * MINUTE);
    for (const [method, path, body] of calls)
      assert.deepEqual(await code(await send(ann, method, path, body)), [403, "reauth_required"], method);
    assert.equal((await list(ann)).length, 2);
  });
});

describe("proving an address", () => {
  it("takes the code in groups, once, and tells the primary address", async () => {
    const { id } = await add(ann, WORK);
    const value = await app.codeFor(WORK);
    const proved = await verify(ann, id, `${value.slice(0, 4)} ${value.slice(4)}`);
    assert.equal((await read<Address>(proved, 200)).verified, true);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /An email address was added/u);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "email-added");
    assert.deepEqual(await code(await send(ann, "POST", `/${id}/send-code`)), [409, "conflict"]);
  });

  it("refuses wrong codes, and the right one after five tries", async () => {
    const { id } = await add(ann, WORK);
    const value = await app.codeFor(WORK);
    const wrong = value === "00000000" ? "00000001" : "00000000";
    for (let count = 0; count < 5; count += 1)
      assert.deepEqual(await code(await verify(ann, id, wrong)), [400, "code_invalid"]);
    assert.deepEqual(await code(await verify(ann, id, value)), [400, "code_invalid"]);
  });

  it("refuses a code after ten minutes; a new one works", async () => {
    const { id } = await add(ann, WORK);
    const value = await app.codeFor(WORK);
    app.clock.advance(10 * MINUTE);
    assert.deepEqual(await code(await verify(ann, id, value)), [400, "code_invalid"]);
    assert.equal((await send(ann, "POST", `/${id}/send-code`)).status, 202);
    const next = await app.codeFor(WORK);
    assert.equal((await verify(ann, id, next)).status, 200);
  });

  it("answers the same when no more mails may be sent", async () => {
    const { id } = await add(ann, WORK);
    for (let count = 0; count < 5; count += 1)
      assert.equal((await send(ann, "POST", `/${id}/send-code`)).status, 202);
    assert.equal((await app.mailsTo(WORK)).length, 1);
  });

  it("takes no code that was sent for another purpose or another account's wait", async () => {
    const { id } = await add(ann, WORK);
    app.clock.advance(MINUTE);
    const other = await add(bob, WORK);
    const forBob = await app.codeFor(WORK);
    assert.deepEqual(await code(await verify(ann, id, forBob)), [400, "code_invalid"]);
    assert.equal((await list(ann))[1]?.verified, false);
    assert.equal((await list(bob))[1]?.id, other.id);
  });

  it("protects codes and their attempts from other accounts", async () => {
    const { id } = await add(ann, WORK);
    const value = await app.codeFor(WORK);
    app.clock.advance(MINUTE);
    const other = await add(bob, WORK);
    for (let count = 0; count < 6; count += 1)
      assert.deepEqual(await code(await verify(bob, other.id, value)), [400, "code_invalid"]);
    assert.equal((await verify(ann, id, value)).status, 200);
  });

  it("lets two accounts wait for one mailbox; who proves it second is refused", async () => {
    const first = await add(ann, WORK);
    const forAnn = await app.codeFor(WORK);
    app.clock.advance(MINUTE);
    const second = await add(bob, WORK);
    assert.equal((await verify(bob, second.id, await app.codeFor(WORK))).status, 200);
    assert.deepEqual(await code(await verify(ann, first.id, forAnn)), [409, "email_taken"]);
  });

  it("sends no codes to an address of another account, but one word to its owner", async () => {
    const { id } = await add(ann, "bob@example.org");
    for (let count = 0; count < 3; count += 1) {
      app.clock.advance(MINUTE);
      assert.equal((await send(ann, "POST", `/${id}/send-code`)).status, 202);
    }
    const mails = await app.mailsTo("bob@example.org");
    assert.equal(mails.length, 1);
    assert.match(mails[0] ?? "", /tried to add this email address to another account/u);
    assert.deepEqual(await code(await verify(ann, id, "12345678")), [400, "code_invalid"]);
  });
});

describe("what an address is for", () => {
  it("is signing in only when it was proved and has that purpose", async () => {
    const { id } = await add(ann, WORK);
    assert.equal(await canSignIn(WORK), false);
    await verify(ann, id, await app.codeFor(WORK));
    assert.equal(await canSignIn(WORK), true);
    assert.equal(await canSignIn("ANN@work.example"), true);
    const changed = await send(ann, "PATCH", `/${id}`, { purposes: ["recovery", "recovery"] });
    assert.deepEqual((await read<Address>(changed, 200)).purposes, ["recovery"]);
    assert.equal(await canSignIn(WORK), false);
  });

  it("is a new password only with the purpose recovery", async () => {
    await addProved(ann, WORK, ["login"]);
    await addProved(ann, "ann@home.example", ["recovery"]);
    app.clock.advance(MINUTE);
    for (const email of [WORK, "ann@home.example"])
      assert.equal((await app.send("POST", "/api/auth/password/forgot", { body: { email } })).status, 202);
    assert.doesNotMatch((await app.mailsTo(WORK)).join("\n"), /rst_/u);
    assert.match((await app.mailsTo("ann@home.example"))[0] ?? "", /rst_/u);
  });

  it("is hearing of what happens to the account only with the purpose notify, and once proved", async () => {
    await addProved(ann, WORK, ["notify"]);
    await addProved(ann, "ann@home.example", ["login"]);
    await add(ann, "ann@later.example", ["notify"]);
    const body = { currentPassword: PASSWORD, password: "another long enough pass phrase" };
    const changed = await app.send("POST", "/api/auth/password/change", { body, token: ann.accessToken });
    assert.equal(changed.status, 200);
    const told = /password of your account was changed/u;
    for (const address of ["ann@example.org", WORK])
      assert.match((await app.mailsTo(address)).join("\n"), told, address);
    for (const address of ["ann@home.example", "ann@later.example"])
      assert.doesNotMatch((await app.mailsTo(address)).join("\n"), told, address);
  });

  it("stays for the primary one: it can neither lose purposes nor be removed", async () => {
    for (const [method, body] of [
      ["PATCH", { purposes: ["notify"] }],
      ["DELETE", undefined],
    ] as const)
      assert.deepEqual(await code(await send(ann, method, "/primary", body)), [409, "last_login_email"]);
  });
});

describe("another primary address", () => {
  it("is a verified one; the old one is notified and stays as an additional one", async () => {
    const { id } = await addProved(ann, WORK);
    const response = await send(ann, "POST", `/${id}/primary`);
    const { items } = await read<{ items: Address[] }>(response, 200);
    assert.deepEqual(
      items.map(({ address, primary, verified, purposes }) => ({ address, primary, verified, purposes })),
      [
        { address: WORK, primary: true, verified: true, purposes: ["login", "recovery", "notify"] },
        {
          address: "ann@example.org",
          primary: false,
          verified: true,
          purposes: ["login", "recovery", "notify"],
        },
      ],
    );
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /primary email address/u);
    assert.doesNotMatch((await app.mailsTo(WORK)).join("\n"), /primary email address/u);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "primary-email-changed");
    assert.equal(await canSignIn("ann@example.org"), true);
  });

  it("does not change back when the request comes twice", async () => {
    const { id } = await addProved(ann, WORK);
    assert.equal((await send(ann, "POST", `/${id}/primary`)).status, 200);
    assert.deepEqual(await code(await send(ann, "POST", `/${id}/primary`)), [404, "not_found"]);
    assert.equal((await list(ann))[0]?.address, WORK);
    assert.equal((await send(ann, "POST", "/primary/primary")).status, 200);
  });

  it("is none that was not proved", async () => {
    const { id } = await add(ann, WORK);
    assert.deepEqual(await code(await send(ann, "POST", `/${id}/primary`)), [409, "conflict"]);
  });

  it("works with five further ones, and leaves five", async () => {
    const { id } = await addProved(ann, WORK);
    for (let count = 0; count < 4; count += 1) await add(ann, `ann${count}@work.example`);
    assert.equal((await send(ann, "POST", `/${id}/primary`)).status, 200);
    assert.equal((await list(ann)).length, 6);
  });
});

describe("removing an address", () => {
  it("ends signing in with it and frees it for others", async () => {
    const { id } = await addProved(ann, WORK);
    assert.equal((await send(ann, "DELETE", `/${id}`)).status, 204);
    assert.equal(await canSignIn(WORK), false);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "email-removed");
    assert.deepEqual(await code(await send(ann, "DELETE", `/${id}`)), [404, "not_found"]);
    app.clock.advance(MINUTE);
    assert.equal((await addProved(bob, WORK)).verified, true);
  });
});

describe("another person's address", () => {
  it("does not exist for any request", async () => {
    const { id } = await addProved(ann, WORK);
    const calls: readonly (readonly [string, string, unknown])[] = [
      ["POST", `/${id}/send-code`, undefined],
      ["POST", `/${id}/verify`, { code: "12345678" }],
      ["POST", `/${id}/primary`, undefined],
      ["PATCH", `/${id}`, { purposes: [] }],
      ["DELETE", `/${id}`, undefined],
    ];
    for (const [method, path, body] of calls)
      assert.deepEqual(await code(await send(bob, method, path, body)), [404, "not_found"], method + path);
    assert.equal((await list(ann))[1]?.verified, true);
  });
});
