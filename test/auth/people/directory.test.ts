/** The directory over HTTP: entries, orders, pages, searches. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { putUser } from "../../../src/auth/accounts/accounts.ts";
import { profiles, users } from "../../../src/auth/accounts/records.ts";
import { profileFieldsSchema } from "../../../src/auth/accounts/schema.ts";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";

const PATH = "/api/public/users";

interface Answer {
  readonly items: readonly { username: string; likedByMe?: boolean }[];
  readonly nextCursor?: string;
}

let app: TestApp;

async function list(query: string, token?: string): Promise<Answer> {
  const response = await app.send("GET", `${PATH}${query}`, { token });
  assert.equal(response.status, 200);
  return response.json();
}

const names = ({ items }: Answer): string[] => items.map(({ username }) => username);

/** All pages of a list. */
async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor = "";
  do {
    const page: Answer = await list(`${query}${cursor}`);
    pages.push(names(page));
    cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "" && pages.length < 50);
  return pages;
}

/** Adds a user to the directory. */
async function join(username: string, fields: object = {}): Promise<string> {
  const { user, accessToken: token } = await app.signUp(username);
  const body = { visibility: "public", inDirectory: true, ...fields };
  assert.equal((await app.send("PATCH", "/api/auth/profile", { token, body })).status, 200);
  app.clock.advance(1_000);
  return user.id;
}

/** Sets the count of likes without the likes. */
async function setLikes(id: string, by: number): Promise<void> {
  await app.store.transact((tx) => tx.adjust(profiles, id, { field: "likes", by }));
}

describe("the directory", () => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  it("has those who are public, want to be in it, and may be used", async () => {
    await join("listed");
    await join("hidden", { inDirectory: false });
    await join("unlisted", { visibility: "unlisted" });
    await join("private", { visibility: "private" });
    for (const status of ["suspended", "deleted", "pending"] as const) {
      const id = await join(status);
      await app.store.transact(async (tx) => {
        const user = (await tx.get(users, id)) ?? assert.fail("No such user");
        await putUser(tx, { ...user, status }, { edited: true });
      });
    }
    for (const sort of ["username", "newest", "likes"])
      assert.deepEqual(names(await list(`?sort=${sort}`)), ["listed"]);
  });

  it("is ordered by name, whatever the case, by age, and by likes", async () => {
    const ids = [await join("Cleo"), await join("ann"), await join("Ben")];
    for (const [place, id] of ids.entries()) await setLikes(id, [5, 10, 1][place] ?? 0);
    assert.deepEqual(names(await list("")), ["ann", "Ben", "Cleo"]);
    assert.deepEqual(names(await list("?sort=newest")), ["Ben", "ann", "Cleo"]);
    assert.deepEqual(names(await list("?sort=likes")), ["ann", "Cleo", "Ben"]);
  });

  it("comes in pages that contain everyone once, in each order, also with equal likes and times", async () => {
    for (let i = 0; i < 7; i += 1) await join(`u${i}`);
    for (const sort of ["username", "newest", "likes"]) {
      const pages = await walk(`?sort=${sort}&limit=3`);
      assert.deepEqual(
        pages.map(({ length }) => length),
        [3, 3, 1],
      );
      assert.equal(new Set(pages.flat()).size, 7);
    }
    assert.equal((await list("?limit=7")).nextCursor, undefined);
  });

  it("is searched in names and display names, whatever the case, and parts of words", async () => {
    await join("ann", { displayName: "Ann Maier" });
    await join("ben", { displayName: "ÄRGER & Söhne" });
    await join("cleo", { displayName: "Ｗｉｄｅ" });
    for (const [query, found] of [
      ["ANN", ["ann"]],
      ["mai", ["ann"]],
      ["e", ["ann", "ben", "cleo"]],
      ["%C3%A4rger", ["ben"]],
      ["wide", ["cleo"]],
      ["%20ann%20", ["ann"]],
      ["n%20m", ["ann"]],
      ["%25", []],
      [".*", []],
      ["example.org", []],
    ] as const)
      assert.deepEqual(names(await list(`?q=${query}`)), found, query);
  });

  it("pages through the results of a search, with everyone once", async () => {
    for (let i = 0; i < 9; i += 1) await join(`u${i}`, { displayName: i % 2 === 0 ? "even" : "odd" });
    for (const sort of ["username", "newest", "likes"]) {
      const pages = await walk(`?sort=${sort}&q=even&limit=2`);
      assert.deepEqual(pages.flat().sort(), ["u0", "u2", "u4", "u6", "u8"]);
      assert.deepEqual(
        pages.map(({ length }) => length).filter((length) => length > 0),
        [2, 2, 1],
      );
    }
  });

  it("tells signed-in users whom they like, and other visitors nothing", async () => {
    await join("ann");
    await join("ben");
    const { accessToken: token } = await app.signUp("cleo");
    await app.send("PUT", `${PATH}/ben/like`, { token });
    const { items } = await list("", token);
    assert.deepEqual(
      items.map(({ username, likedByMe }) => [username, likedByMe]),
      [
        ["ann", false],
        ["ben", true],
      ],
    );
    assert.ok((await list("", "acc_dead")).items.every(({ likedByMe }) => likedByMe === undefined));
  });

  it("gives cursors that tell nothing and work in their own order only", async () => {
    const id = await join("ann");
    await join("ben");
    const { nextCursor = "" } = await list("?limit=1");
    const readable = Buffer.from(nextCursor.slice(3), "base64url").toString("latin1");
    assert.ok(!readable.includes(id) && !readable.includes("ann"));
    assert.deepEqual(names(await list(`?limit=1&cursor=${nextCursor}`)), ["ben"]);
    for (const query of [
      `?sort=newest&cursor=${nextCursor}`,
      `?cursor=${nextCursor.slice(0, -2)}${nextCursor.endsWith("AA") ? "BB" : "AA"}`,
      "?cursor=x",
      "?cursor=",
      "?cursor=v1.",
    ])
      assert.deepEqual(await code(await app.fetch(`${PATH}${query}`)), [400, "bad_request"], query);
  });

  for (const query of [
    "?limit=0",
    "?limit=101",
    "?limit=1.5",
    "?limit=x",
    "?sort=email",
    "?q=",
    "?q=%20",
    `?q=${"x".repeat(41)}`,
    "?q=a%0Ab",
    `?cursor=${"x".repeat(2_001)}`,
  ]) {
    it(`refuses ${query.slice(0, 20)}`, async () => {
      assert.deepEqual(await code(await app.fetch(`${PATH}${query}`)), [422, "invalid"]);
    });
  }
});

describe("a search in a large directory", () => {
  const COUNT = 4_500;

  before(async () => {
    app = await createTestApp();
    const fields = profileFieldsSchema.parse({ displayName: "Somebody" });
    await app.store.transact(async (tx) => {
      for (let i = 0; i < COUNT; i += 1) {
        const username = `u${String(i).padStart(5, "0")}`;
        const displayName = [1_000, 2_100, 4_400].includes(i) ? "Rare one" : "Somebody";
        await tx.insert(profiles, {
          ...fields,
          displayName,
          id: `usr_${i}`,
          username,
          usernameLower: username,
          visibility: "public",
          inDirectory: true,
          likes: i % 5,
          joinedAt: i,
          listed: true,
          editVersion: 1,
        });
      }
    });
  });

  it("looks at 2,000 profiles a request and goes on where it stopped, even with nothing found", async () => {
    assert.deepEqual(await walk("?q=rare"), [["u01000"], ["u02100"], ["u04400"]]);
    assert.deepEqual(await walk("?q=nothing-at-all"), [[], [], []]);
    assert.deepEqual((await walk("?q=rare&limit=1")).flat(), ["u01000", "u02100", "u04400"]);
  });

  it("finds everyone once in pages of any size", async () => {
    for (const limit of [100, 99]) {
      const pages = await walk(`?q=u000&limit=${limit}`);
      assert.equal(new Set(pages.flat()).size, 100);
      assert.equal(pages.flat().length, 100);
    }
  });
});
