import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import {
  newCodeText,
  newDigits,
  newId,
  newSecret,
  newTypedCode,
  toIdStart,
} from "../../../src/kit/secrets/id.ts";
import { takeRandomBytes } from "../../../src/kit/secrets/random-pool.ts";

const AT = Date.UTC(2026, 0, 1);

/** Ids of a prefix that no other test has: what was made before counts. */
function make(prefix: string, times: readonly number[]): string[] {
  return times.map((ms) => newId(prefix, ms));
}

describe("newId", () => {
  it("gives ids of one form, safe in URLs and never the same", () => {
    const ids = make("form", Array<number>(5_000).fill(AT));
    for (const id of ids) assert.match(id, /^form_[0-9a-hjkmnp-tv-z]{26}$/u);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("sorts as they were made within a millisecond", () => {
    const ids = make("within", Array<number>(5_000).fill(AT));
    assert.deepEqual(ids.toSorted(), ids);
  });

  it("sorts as they were made when the clock is set back by a little", () => {
    const ids = make("back", [AT, AT - 1, AT - 59_000, AT - 1_000, AT, AT + 1, AT]);
    assert.deepEqual(ids.toSorted(), ids);
  });

  it("follows a clock that is set back by more than a minute, so that a wrong year does not stay", () => {
    const [, later] = make("year", [AT + 10 * 365 * 86_400_000, AT]);
    assert.ok(later?.startsWith(toIdStart("year", AT)));
  });

  it("shares no random part between ids of a millisecond", () => {
    const tails = make("tail", Array<number>(1_000).fill(AT)).map((id) => id.slice(-12));
    assert.equal(new Set(tails).size, tails.length);
  });
});

/** What `work` returns when the system's next random bytes are these, over and over. */
function withRandom<Result>(bytes: readonly number[], work: () => Result): Result {
  const fake = mock.method(crypto, "getRandomValues", (array: Uint8Array) => {
    array.forEach((_, index) => {
      array[index] = bytes[index % bytes.length] ?? 0;
    });
    return array;
  });
  try {
    // The rest of the last pool goes first.
    takeRandomBytes(4_096);
    takeRandomBytes(4_096);
    return work();
  } finally {
    fake.mock.restore();
    takeRandomBytes(4_096);
  }
}

describe("newId at its bounds", () => {
  it("bridges a clock that is set back by a minute, and follows one that is set back further", () => {
    const [first = "", bridged = "", followed = ""] = make("minute", [AT, AT - 60_000, AT - 60_001]);
    assert.ok(first < bridged && bridged.startsWith(toIdStart("minute", AT)));
    assert.ok(followed.startsWith(toIdStart("minute", AT - 60_001)));
  });

  it("writes time, count, and random bits in Crockford's base32", () => {
    const id = withRandom([0x01, 0x02, 0x03, 0xff, 0x00, 0xaa, 0x55, 0x10], () =>
      newId("vector", 32 ** 2 + 33),
    );
    // 0x0102 is the first count; 60 of the 64 random bits follow.
    assert.equal(id, "vector_000000011100820fzg1ajn200g");
  });

  it("goes on in order when a millisecond has more ids than counts", () => {
    let last = newId("many", AT);
    let isOrdered = true;
    let end = "";
    for (let made = 0; made < 1_050_000; made += 1) {
      const next = newId("many", AT);
      isOrdered &&= next > last;
      if (end === "" && !next.startsWith(toIdStart("many", AT))) end = last;
      last = next;
    }
    assert.ok(isOrdered);
    assert.equal(end.slice("many_".length + 10, -12), "zzzz", "the last count");
    assert.ok(last.startsWith(toIdStart("many", AT + 1)), last);
  });

  it("uses all counts before it borrows the next millisecond", () => {
    const ids = withRandom([0xff], () => [newId("count", AT), newId("count", AT)]);
    assert.deepEqual(
      ids.map((id) => id.slice("count_".length + 10, -12)),
      ["1zzz", "2000"],
    );
  });
});

describe("newSecret", () => {
  it("has 256 random bits in base64url, or as many as wanted", () => {
    assert.match(newSecret("agt"), /^agt_[\w-]{43}$/u);
    assert.match(newSecret("agt", 16), /^agt_[\w-]{22}$/u);
  });
});

describe("codes for people", () => {
  it("are digits, each equally likely: bytes that would make some likelier are left out", () => {
    assert.equal(
      withRandom([250, 249, 255, 0, 13, 251], () => newDigits(3)),
      "903",
    );
    assert.match(newDigits(8), /^\d{8}$/u);
  });

  it("are consonants, each equally likely", () => {
    assert.equal(
      withRandom([240, 239, 255, 0, 21, 241], () => newTypedCode(3)),
      "ZBC",
    );
    assert.match(newTypedCode(8), /^[B-DF-HJ-NP-TV-XZ]{8}$/u);
  });

  it("have the wanted length, of 5 random bits each", () => {
    for (let length = 1; length <= 20; length += 1)
      assert.match(newCodeText(length), new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`, "u"));
    assert.equal(
      withRandom([0xff, 0x00], () => newCodeText(8)),
      "zw0fy07z",
    );
  });
});

describe("toIdStart", () => {
  it("parts ids made before from those made then or later", () => {
    const [before = "", then = "", after = ""] = make("part", [AT - 1, AT, AT + 1]);
    const start = toIdStart("part", AT);
    assert.ok(before < start && start < then && then < after);
  });
});
