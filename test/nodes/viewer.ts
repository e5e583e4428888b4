/** A viewer of the live feed, with the dashboard's own decoder. */
import { WebSocket } from "ws";
import type { PublicServer } from "../../src/monitor/fleet/view-schema.ts";
import { type Frame, openFeed } from "../../src/web/app/feed.ts";

export type ViewerMode = "snapshot" | "delta" | "gzip";

export interface Viewer {
  /** What it sees now, by id. */
  readonly servers: ReadonlyMap<string, PublicServer>;
  /** States of a server in the order in which they were seen, without repeats. */
  statesOf(id: string): readonly string[];
  /** How often the connection was lost. */
  readonly losses: number;
  close(): void;
}

const queries: Readonly<Record<ViewerMode, string>> = {
  snapshot: "",
  delta: "?mode=delta",
  gzip: "?mode=delta&encoding=gzip",
};

function createPort(url: string): Parameters<typeof openFeed>[1] {
  return {
    open({ onMessage, onClose }) {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      socket.binaryType = "arraybuffer";
      // `as`: what binaryType says.
      socket.on("message", (data, isBinary) =>
        onMessage(isBinary ? data : Buffer.from(data as ArrayBuffer).toString()),
      );
      socket.on("error", () => undefined); // "close" follows
      socket.on("close", onClose);
      return { send: (text) => socket.send(text), close: () => socket.terminate() };
    },
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    onWake: () => () => undefined,
    random: Math.random,
  };
}

/** Watches `url`, an HTTP address of a monitor, and comes back when the connection is lost. */
export function openViewer(url: string, mode: ViewerMode): Viewer {
  const servers = new Map<string, PublicServer>();
  const states = new Map<string, string[]>();
  let losses = 0;

  const put = (server: PublicServer): void => {
    servers.set(server.id, server);
    const seen = states.get(server.id) ?? [];
    if (seen.at(-1) !== server.state) states.set(server.id, [...seen, server.state]);
  };
  const take = (frame: Frame): void => {
    if (frame.type === "snapshot") servers.clear();
    for (const server of frame.type === "snapshot" ? frame.servers : frame.upsert) put(server);
    for (const id of frame.type === "snapshot" ? [] : frame.remove) servers.delete(id);
  };
  const end = openFeed(
    {
      onFrame: take,
      onLive: (isLive) => {
        if (!isLive) losses += 1;
      },
    },
    createPort(`${url.replace(/^http/u, "ws")}/api/ws/monitor${queries[mode]}`),
  );
  return {
    servers,
    statesOf: (id) => states.get(id) ?? [],
    get losses() {
      return losses;
    },
    close: end,
  };
}
