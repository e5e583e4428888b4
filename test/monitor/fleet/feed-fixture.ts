/** A feed of a public snapshot, with sockets that keep what they are sent. */
import { gunzipSync } from "node:zlib";
import { createLocalBus } from "../../../src/bus/local.ts";
import { type PublicSnapshot, createPublicSnapshot } from "../../../src/monitor/fleet/snapshot.ts";
import { createUsage } from "../../../src/monitor/usage/usage.ts";
import { type Feed, type FeedLimits, createFeed } from "../../../src/monitor/fleet/feed.ts";
import type { ViewerKind } from "../../../src/monitor/fleet/feed-frames.ts";
import { type Live, createLive } from "../../../src/monitor/fleet/live.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import type { Visitor } from "../../../src/monitor/access/visitor.ts";
import type { ServerSocket } from "../../../src/runtime/runtime.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { createTestStore, fields } from "../fixtures.ts";

export interface FeedMessage {
  type: string;
  seq: number;
  now: number;
  servers?: { id: string }[];
  upsert?: { id: string; name: string }[];
  remove?: string[];
}

/** A socket that keeps what it is sent; the test says how much the kernel has not taken yet. */
export class FakeSocket implements ServerSocket {
  readyState: ServerSocket["readyState"] = "connecting";
  bufferedBytes = 0;
  readonly frames: (string | Uint8Array)[] = [];
  closed: { code: number; reason: string | undefined } | undefined;
  pings = 0;
  onopen: (() => void) | undefined;
  onmessage: ((data: string | Uint8Array) => void) | undefined;
  onpong: (() => void) | undefined;
  onclose: ((code: number, reason: string) => void) | undefined;

  send(data: string | Uint8Array): void {
    this.frames.push(data);
  }
  sendText(utf8: Uint8Array): void {
    this.frames.push(new TextDecoder().decode(utf8));
  }
  ping(): void {
    this.pings += 1;
  }
  close(code: number, reason?: string): void {
    this.closed ??= { code, reason };
  }
  terminate(): void {
    this.close(1006);
  }
  open(): void {
    this.readyState = "open";
    this.onopen?.();
  }
  last(): FeedMessage {
    const frame = this.frames.at(-1) ?? "null";
    return JSON.parse(typeof frame === "string" ? frame : new TextDecoder().decode(gunzipSync(frame)));
  }
}

export const full: ViewerKind = { audience: "public", mode: "full", gzip: false, serverIds: undefined };
export const delta: ViewerKind = { ...full, mode: "delta" };

/** A record of a server with nothing but its id. */
export function record(id: string, more: Partial<ServerRecord> = {}): ServerRecord {
  const own = {
    id,
    version: 1,
    editVersion: 1,
    displayOrder: 1,
    keys: [],
    keyRotatedAt: START,
    hostname: "",
    createdAt: START,
    updatedAt: START,
  };
  return { ...fields(id), ...own, ...more };
}

/** Lets the queues of all viewers run dry; gzip needs real turns of the event loop. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface TestFeed {
  readonly clock: FixedClock;
  readonly live: Live;
  readonly publicSnapshot: PublicSnapshot;
  readonly feed: Feed;
  /** Asks for a handshake; the socket is not open yet. */
  knock(kind: ViewerKind, from?: string, visitor?: Visitor): FakeSocket;
  join(kind: ViewerKind, from?: string, visitor?: Visitor): Promise<FakeSocket>;
}

/** Servers a, b and c in the public snapshot. */
export function createTestFeed(limits: Partial<FeedLimits>): TestFeed {
  const clock = createFixedClock();
  const live = createLive({ clock });
  const { traffic } = createUsage({
    store: createTestStore(),
    clock,
    bus: createLocalBus("test"),
    origin: "test",
    live,
    directory: { findRecord: () => undefined, records: () => [] },
  });
  const publicSnapshot = createPublicSnapshot({
    clock,
    live,
    traffic,
    maintenanceUntil: () => undefined,
    instance: "test",
  });
  publicSnapshot.reload([record("a"), record("b"), record("c")]);
  let socket = new FakeSocket();
  const upgradeWebSocket = (): { socket: ServerSocket; response: Response } => {
    socket = new FakeSocket();
    return { socket, response: new Response(null) };
  };
  const feed = createFeed({
    publicSnapshot,
    countAlerts: () => ({ warning: 2 }),
    checksRevision: (audience) => (audience === "public" ? 7 : 8),
    clock,
    upgradeWebSocket,
    limits,
  });
  const knock: TestFeed["knock"] = (kind, clientAddress = "192.0.2.1", visitor) => {
    feed.accept(new Request("http://localhost/api/ws/monitor"), {
      kind,
      clientAddress,
      ...(visitor && { visitor }),
    });
    return socket;
  };
  return {
    clock,
    live,
    publicSnapshot,
    feed,
    knock,
    join: async (kind, from, visitor) => {
      const joined = knock(kind, from, visitor);
      joined.open();
      await settle();
      return joined;
    },
  };
}
