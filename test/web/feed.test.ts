import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { describe, it } from "node:test";
import {
  type FeedPort,
  type Frame,
  FIRST_DELAY_MS,
  MAX_DELAY_MS,
  openFeed,
  SILENCE_MS,
} from "../../src/web/app/feed.ts";

interface FakeSocket {
  readonly sent: string[];
  closed: boolean;
  message(data: unknown): void;
  drop(): void;
}

/** A browser without a network: sockets and timers that the test moves. */
function createFakePort(): FeedPort & {
  readonly sockets: FakeSocket[];
  readonly timers: Set<{ ms: number; callback: () => void }>;
  wake: () => void;
} {
  const sockets: FakeSocket[] = [];
  const timers = new Set<{ ms: number; callback: () => void }>();
  const port = {
    sockets,
    timers,
    wake: () => undefined as void,
    open({ onMessage, onClose }: Parameters<FeedPort["open"]>[0]) {
      const socket = { sent: [] as string[], closed: false, message: onMessage, drop: onClose };
      sockets.push(socket);
      return {
        send: (text: string) => void socket.sent.push(text),
        close: () => {
          socket.closed = true;
          onClose();
        },
      };
    },
    after(ms: number, callback: () => void) {
      const timer = { ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    onWake(callback: () => void) {
      port.wake = callback;
      return () => {
        port.wake = () => undefined;
      };
    },
    random: () => 0.5,
  };
  return port;
}

function toText(frame: { type: "snapshot" | "delta"; seq: number }): string {
  const rest = frame.type === "snapshot" ? { servers: [] } : { upsert: [], remove: [] };
  return JSON.stringify({ ...frame, now: 0, ...rest });
}

/** Lets queued frames be unpacked. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function open(): {
  port: ReturnType<typeof createFakePort>;
  frames: Frame[];
  lives: boolean[];
  end: () => void;
} {
  const port = createFakePort();
  const frames: Frame[] = [];
  const lives: boolean[] = [];
  const end = openFeed({ onFrame: (frame) => frames.push(frame), onLive: (live) => lives.push(live) }, port);
  return { port, frames, lives, end };
}

function fireTimer(port: ReturnType<typeof createFakePort>, isWanted: (ms: number) => boolean): number {
  const timer = [...port.timers].find(({ ms }) => isWanted(ms));
  assert.ok(timer !== undefined, "there is such a timer");
  port.timers.delete(timer);
  timer.callback();
  return timer.ms;
}

describe("live feed in a browser", () => {
  it("hands on a snapshot and the deltas that continue it", async () => {
    const { port, frames, lives } = open();
    port.sockets[0]?.message(toText({ type: "snapshot", seq: 7 }));
    port.sockets[0]?.message(toText({ type: "delta", seq: 8 }));
    port.sockets[0]?.message(toText({ type: "delta", seq: 9 }));
    await settle();
    assert.deepEqual(
      frames.map(({ seq }) => seq),
      [7, 8, 9],
    );
    assert.equal(lives.at(-1), true);
  });

  it("unpacks gzip, in order with frames that are not packed", async () => {
    const { port, frames } = open();
    const packed = gzipSync(toText({ type: "snapshot", seq: 1 }));
    port.sockets[0]?.message(new Uint8Array(packed).buffer);
    port.sockets[0]?.message(toText({ type: "delta", seq: 2 }));
    await settle();
    // Unpacking takes turns of its own.
    while (frames.length < 2) await settle();
    assert.deepEqual(
      frames.map(({ seq }) => seq),
      [1, 2],
    );
  });

  it("asks once for a snapshot after a gap, and takes no delta before it", async () => {
    const { port, frames } = open();
    const [socket] = port.sockets;
    socket?.message(toText({ type: "snapshot", seq: 1 }));
    socket?.message(toText({ type: "delta", seq: 3 }));
    socket?.message(toText({ type: "delta", seq: 4 }));
    await settle();
    assert.deepEqual(socket?.sent, ['{"type":"resync"}']);
    socket?.message(toText({ type: "snapshot", seq: 4 }));
    socket?.message(toText({ type: "delta", seq: 5 }));
    await settle();
    assert.deepEqual(
      frames.map(({ seq }) => seq),
      [1, 4, 5],
    );
  });

  it("takes no delta before the first snapshot, not even number 1", async () => {
    const { port, frames } = open();
    port.sockets[0]?.message(toText({ type: "delta", seq: 1 }));
    await settle();
    assert.deepEqual(frames, []);
  });

  it("closes a connection that sends nonsense", async () => {
    const { port } = open();
    port.sockets[0]?.message("not JSON");
    await settle();
    assert.equal(port.sockets[0]?.closed, true);
  });

  it("comes back later and later, and soon again once frames came", async () => {
    const { port, lives } = open();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      port.sockets.at(-1)?.drop();
      delays.push(fireTimer(port, (ms) => ms < SILENCE_MS));
    }
    assert.equal(delays[0], FIRST_DELAY_MS);
    assert.ok(delays.every((delay, at) => at === 0 || delay >= (delays[at - 1] ?? 0)));
    assert.equal(delays.at(-1), MAX_DELAY_MS);
    assert.deepEqual(new Set(lives), new Set([false]));
    port.sockets.at(-1)?.message(toText({ type: "snapshot", seq: 1 }));
    await settle();
    port.sockets.at(-1)?.drop();
    assert.equal(
      fireTimer(port, (ms) => ms < SILENCE_MS),
      FIRST_DELAY_MS,
    );
  });

  it("ignores what an old connection still says", async () => {
    const { port, frames } = open();
    const [old] = port.sockets;
    old?.drop();
    fireTimer(port, (ms) => ms < SILENCE_MS);
    old?.message(toText({ type: "snapshot", seq: 1 }));
    await settle();
    assert.deepEqual(frames, []);
  });

  it("gives a silent connection up", () => {
    const { port, lives } = open();
    fireTimer(port, (ms) => ms === SILENCE_MS);
    assert.equal(port.sockets[0]?.closed, true);
    assert.deepEqual(lives, [false]);
    fireTimer(port, (ms) => ms < SILENCE_MS);
    assert.equal(port.sockets.length, 2);
  });

  it("connects at once when the network is back, but never twice", () => {
    const { port } = open();
    port.wake();
    assert.equal(port.sockets.length, 1);
    port.sockets[0]?.drop();
    port.wake();
    assert.equal(port.sockets.length, 2);
    assert.ok([...port.timers].every(({ ms }) => ms === SILENCE_MS));
  });

  it("ends for good", () => {
    const { port, end } = open();
    end();
    assert.equal(port.sockets[0]?.closed, true);
    assert.equal(port.timers.size, 0);
    port.wake();
    assert.equal(port.sockets.length, 1);
  });
});
