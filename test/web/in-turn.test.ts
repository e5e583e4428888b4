/** Changes made while another is on its way: none is lost, and none overtakes another. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createInTurn } from "../../src/web/ui/forms/in-turn.ts";

type Words = readonly string[];

/** Changes of ["a", "b"] on a server that answers when the test says so. */
function createRoom() {
  const sent: { value: Words; store: (value: Words) => void; refuse: (error: Error) => void }[] = [];
  const errors: unknown[] = [];
  const room = { shown: ["a", "b"] as Words, sent, errors };
  const changes = createInTurn<Words>({
    stored: room.shown,
    send: (value) =>
      new Promise((resolve, reject) => void sent.push({ value, store: resolve, refuse: reject })),
    show: (value) => (room.shown = value),
    onError: (error) => errors.push(error),
  });
  return Object.assign(room, { changes, settle: () => new Promise((resolve) => setImmediate(resolve)) });
}

const reverse = (words: Words): Words => words.toReversed();
const rename =
  (from: string, to: string) =>
  (words: Words): Words =>
    words.map((word) => (word === from ? to : word));

describe("changes in turn", () => {
  it("keep words that are typed while a move is on its way", async () => {
    const { changes, sent, settle, ...room } = createRoom();
    changes.change(reverse);
    changes.change(rename("a", "typed"));
    assert.equal(sent.length, 1);
    sent[0]?.store(["b", "a"]);
    await settle();
    assert.deepEqual(
      sent.map(({ value }) => value),
      [
        ["b", "a"],
        ["b", "typed"],
      ],
    );
    assert.deepEqual(room.errors, []);
  });

  it("show at once what is still on its way, also when something else was stored meanwhile", async () => {
    const room = createRoom();
    room.changes.change(reverse);
    assert.deepEqual(room.shown, ["b", "a"]);
    room.changes.take(["a", "b", "c"]);
    assert.deepEqual(room.shown, ["c", "b", "a"]);
    room.sent[0]?.store(["b", "a", "c"]);
    await room.settle();
    assert.deepEqual(room.shown, ["b", "a", "c"]);
  });

  it("go back to what is stored when one is refused, and go on with the next", async () => {
    const room = createRoom();
    room.changes.change(reverse);
    room.changes.change(rename("a", "typed"));
    room.sent[0]?.refuse(new Error("offline"));
    await room.settle();
    assert.deepEqual([room.shown, room.sent.length, room.errors.length], [["a", "b"], 1, 1]);
    room.changes.change(rename("b", "again"));
    assert.deepEqual(room.sent[1]?.value, ["a", "again"]);
  });
});
