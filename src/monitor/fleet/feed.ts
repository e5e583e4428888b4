/**
 * The live feed: the WebSocket edge. Viewers of one kind share every frame; a slow reader gets only the newest state
 * and never makes the service grow.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { ServerSocket, UpgradeWebSocket } from "../../runtime/runtime.ts";
import { type Right, type Visitor, credentialKey } from "../access/visitor.ts";
import type { PublicSnapshot } from "./snapshot.ts";
import {
  type FeedTick,
  type Frame,
  type KindFrames,
  type ViewerKind,
  createKindFrames,
  kindKey,
} from "./feed-frames.ts";

export interface FeedLimits {
  readonly maxViewers: number;
  /** Of one IPv4 address or IPv6 /64. */
  readonly maxViewersPerAddress: number;
  /** Different sets of servers that viewers request at a time: each needs separate frames. */
  readonly maxSets: number;
  /** A viewer whose unsent bytes stay above this from one frame to the next is closed with 1013. */
  readonly maxUnsentBytes: number;
  readonly pingMs: number;
  /** A ping that is not answered in this time closes with 1013. */
  readonly pongTimeoutMs: number;
  /** Longest message from a client, in bytes; a longer one closes with 1009. */
  readonly maxMessageBytes: number;
  /** A client gets a snapshot on request at most this often. */
  readonly resyncMs: number;
}

const defaultLimits: FeedLimits = {
  maxViewers: 10_000,
  maxViewersPerAddress: 50,
  maxSets: 200,
  maxUnsentBytes: 1_048_576,
  pingMs: 25_000,
  pongTimeoutMs: 25_000,
  maxMessageBytes: 4_096,
  resyncMs: 1_000,
};

export interface Feed {
  /**
   * Answers the handshake of a viewer at `clientAddress`. Throws `rate_limited` when that address has too many
   * already, `unavailable` when there are too many of all, or of different sets.
   */
  accept(
    request: Request,
    viewer: {
      readonly kind: ViewerKind;
      readonly clientAddress: string;
      /** Default: a stranger. */
      readonly visitor?: Visitor;
    },
  ): Response;
  /** Sends the frame that is due to every viewer; resolves when all of them were handed to the sockets. */
  tick(): Promise<void>;
  /** Sends pings that are due and drops who did not answer; call it every second. */
  checkPongs(): void;
  /** Checks the rights of each viewer, and closes with 1008 those who may no longer see what they get. */
  review(rightOf: (credential: Visitor["credential"]) => Promise<Right>): Promise<void>;
  readonly viewers: number;
  /** Frames and bytes handed to sockets since the start. */
  readonly sent: { readonly frames: number; readonly bytes: number };
  /** Closes every viewer with 1001. */
  close(): void;
}

interface Viewer {
  readonly socket: ServerSocket;
  readonly credential: Visitor["credential"];
  /** The last frame that waits to be ready (a gzipped one is a moment later); frames go out in order. */
  queue: Promise<void> | undefined;
  /** It missed frames: the next thing it gets is a snapshot. */
  stale: boolean;
  unsentBytes: number;
  pingedAt: number;
  awaitingPong: boolean;
  resyncAt: number;
}

interface Kind {
  readonly frames: KindFrames;
  readonly isSet: boolean;
  readonly audience: ViewerKind["audience"];
  readonly viewers: Set<Viewer>;
}

function isResync(data: string | Uint8Array): boolean {
  if (typeof data !== "string") return false;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null && "type" in message && message.type === "resync";
  } catch {
    return false;
  }
}

export interface FeedDeps {
  readonly publicSnapshot: PublicSnapshot;
  /** Open alerts by severity; administrators see them. */
  readonly countAlerts: () => Readonly<Record<string, number>>;
  /** Increases when the list of checks of an audience changes: viewers then request it. */
  readonly checksRevision: (audience: ViewerKind["audience"]) => number;
  readonly clock: Clock;
  readonly upgradeWebSocket: UpgradeWebSocket;
  readonly limits?: Partial<FeedLimits>;
}

class LiveFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #limits: FeedLimits;
  readonly #kinds = new Map<string, Kind>();
  /** Viewers by {@link addressKey}. */
  readonly #perAddress = createHeldCounts();
  #sent = { frames: 0, bytes: 0 };
  #last: FeedTick;
  #viewers = 0;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
    this.#last = { seq: 1, now: deps.clock.now() };
  }

  get viewers(): number {
    return this.#viewers;
  }

  get sent(): Feed["sent"] {
    return this.#sent;
  }

  accept(request: Request, { kind, clientAddress, visitor }: Parameters<Feed["accept"]>[1]): Response {
    const address = addressKey(clientAddress);
    this.#checkRoom(address, kind);
    const { maxMessageBytes } = this.#limits;
    const { socket, response } = this.#deps.upgradeWebSocket(request, { maxMessageBytes });
    socket.onopen = () => {
      try {
        // Others may have come in since: handshakes take a moment.
        this.#checkRoom(address, kind);
      } catch {
        socket.close(1013, "too many viewers");
        return;
      }
      this.#join(socket, { kind, address, credential: visitor?.credential });
    };
    return response;
  }

  async tick(): Promise<void> {
    this.#last = { seq: this.#last.seq + 1, now: this.#deps.clock.now() };
    const all: Promise<void>[] = [];
    for (const kind of this.#kinds.values()) {
      const frame = kind.frames.advance(this.#last);
      for (const viewer of kind.viewers) {
        const delivery = this.#deliverTick(kind, viewer, frame);
        if (delivery !== undefined) all.push(delivery);
      }
    }
    await Promise.all(all);
  }

  checkPongs(): void {
    const now = this.#deps.clock.monotonic();
    for (const kind of this.#kinds.values()) {
      for (const viewer of kind.viewers) this.#checkPong(viewer, now);
    }
  }

  async review(rightOf: Parameters<Feed["review"]>[0]): Promise<void> {
    const rights = new Map<string, Promise<Right>>();
    const all = [...this.#kinds.values()].flatMap(({ audience, viewers }) =>
      Array.from(viewers, (viewer) => ({ audience, viewer })),
    );
    for (const { audience, viewer } of all) {
      const key = credentialKey(viewer.credential);
      const asked = rights.get(key) ?? rightOf(viewer.credential);
      rights.set(key, asked);
      const right = await asked;
      if (right === "nothing" || (audience === "administrators" && right !== "administer"))
        viewer.socket.close(1008, "access ended");
    }
  }

  close(): void {
    for (const kind of this.#kinds.values()) {
      for (const viewer of kind.viewers) viewer.socket.close(1001, "shutting down");
    }
  }

  #checkRoom(address: string, kind: ViewerKind): void {
    const { maxViewers, maxViewersPerAddress, maxSets } = this.#limits;
    const retry = { retryAfterSeconds: 30 };
    if (this.#viewers >= maxViewers)
      throw new AppError("unavailable", "Too many viewers are connected. Try again later", retry);
    if (this.#perAddress.of(address) >= maxViewersPerAddress) {
      const message = `Your IP address has ${maxViewersPerAddress} open viewers. Close one, or ask the administrator to increase VIEWERS_PER_ADDRESS`;
      throw new AppError("rate_limited", message, retry);
    }
    if (kind.serverIds === undefined || this.#kinds.has(kindKey(kind))) return;
    if ([...this.#kinds.values()].filter(({ isSet }) => isSet).length < maxSets) return;
    throw new AppError(
      "unavailable",
      "Too many different server selections are in use. Connect without the parameter servers",
      retry,
    );
  }

  #join(
    socket: ServerSocket,
    {
      kind: viewerKind,
      address,
      credential,
    }: { kind: ViewerKind; address: string; credential: Visitor["credential"] },
  ): void {
    const key = kindKey(viewerKind);
    const kind = this.#findKind(key, viewerKind);
    const viewer: Viewer = {
      socket,
      credential,
      queue: undefined,
      stale: false,
      unsentBytes: 0,
      pingedAt: this.#deps.clock.monotonic(),
      awaitingPong: false,
      resyncAt: -Infinity,
    };
    kind.viewers.add(viewer);
    this.#viewers += 1;
    this.#perAddress.take(address);
    socket.onmessage = (data) => this.#onMessage(kind, viewer, data);
    socket.onpong = () => {
      viewer.awaitingPong = false;
    };
    socket.onclose = () => {
      if (!kind.viewers.delete(viewer)) return;
      this.#viewers -= 1;
      this.#perAddress.release(address);
      if (kind.viewers.size === 0) this.#kinds.delete(key);
    };
    void this.#deliver(viewer, kind.frames.snapshot());
  }

  #findKind(key: string, viewerKind: ViewerKind): Kind {
    const found = this.#kinds.get(key);
    if (found !== undefined) return found;
    const { publicSnapshot, countAlerts, checksRevision } = this.#deps;
    const { audience, serverIds } = viewerKind;
    const isPublic = audience === "public";
    const frames = createKindFrames(isPublic ? publicSnapshot : publicSnapshot.whole, {
      kind: viewerKind,
      tick: () => this.#last,
      more: isPublic
        ? () => `,"checks":${checksRevision(audience)}`
        : () => `,"checks":${checksRevision(audience)},"alerts":${JSON.stringify(countAlerts())}`,
    });
    const made: Kind = { frames, isSet: serverIds !== undefined, audience, viewers: new Set() };
    this.#kinds.set(key, made);
    return made;
  }

  #send({ socket }: Viewer, frame: Frame): void {
    if (socket.readyState !== "open") return;
    if (frame.binary) socket.send(frame.bytes);
    else socket.sendText(frame.bytes);
    this.#sent.frames += 1;
    this.#sent.bytes += frame.bytes.byteLength;
  }

  /** Sends in order: at once when the frame is ready and nothing waits before it. */
  #deliver(viewer: Viewer, frame: Frame | Promise<Frame>): Promise<void> | undefined {
    if (viewer.queue === undefined && !(frame instanceof Promise)) {
      this.#send(viewer, frame);
      return undefined;
    }
    const turn = Promise.all([frame, viewer.queue]).then(([ready]) => {
      if (viewer.queue === turn) viewer.queue = undefined;
      this.#send(viewer, ready);
    });
    viewer.queue = turn;
    return turn;
  }

  #deliverTick(kind: Kind, viewer: Viewer, frame: Frame | Promise<Frame>): Promise<void> | undefined {
    const unsent = viewer.socket.bufferedBytes;
    const before = viewer.unsentBytes;
    viewer.unsentBytes = unsent;
    if (unsent > 0) {
      viewer.stale = true;
      const { maxUnsentBytes } = this.#limits;
      // A reader that takes nothing will not answer the closing handshake either; the runtime ends it after 5 s.
      if (unsent > maxUnsentBytes && before > maxUnsentBytes && unsent >= before)
        viewer.socket.close(1013, "too slow");
      return undefined;
    }
    if (!viewer.stale) return this.#deliver(viewer, frame);
    viewer.stale = false;
    return this.#deliver(viewer, kind.frames.snapshot());
  }

  #onMessage(kind: Kind, viewer: Viewer, data: string | Uint8Array): void {
    if (!isResync(data)) return;
    const now = this.#deps.clock.monotonic();
    if (now - viewer.resyncAt < this.#limits.resyncMs || viewer.socket.bufferedBytes > 0) {
      viewer.stale = true; // answered with the next frame
      return;
    }
    viewer.resyncAt = now;
    void this.#deliver(viewer, kind.frames.snapshot());
  }

  #checkPong(viewer: Viewer, now: number): void {
    const waitedMs = now - viewer.pingedAt;
    if (viewer.awaitingPong) {
      if (waitedMs >= this.#limits.pongTimeoutMs) viewer.socket.close(1013, "no pong");
    } else if (waitedMs >= this.#limits.pingMs) {
      viewer.pingedAt = now;
      viewer.awaitingPong = true;
      viewer.socket.ping();
    }
  }
}

/** Creates a feed of the public snapshot. */
export function createFeed(deps: FeedDeps): Feed {
  return new LiveFeed(deps);
}
