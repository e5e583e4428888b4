/** All visible servers as the page knows them, kept up to date by the live feed. */
import { signal } from "@preact/signals";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { openFeed, type Frame } from "./feed.ts";
import { browserFeedPort } from "./feed-port.ts";
import { readNumber } from "./sample.ts";
import { createSparks } from "./sparks.ts";

export interface Fleet {
  /** In display order; a new list and a new object for each server that changed. */
  readonly servers: readonly PublicServer[];
  readonly byId: ReadonlyMap<string, PublicServer>;
  /** Frames come in; false before the first and while the connection is lost. */
  readonly live: boolean;
  /** Whether there ever was a snapshot. */
  readonly loaded: boolean;
  /** The last attempt to connect failed. */
  readonly failed: boolean;
}

/** Another object with each frame that changes something. */
export const fleet = signal<Fleet>({
  servers: [],
  byId: new Map(),
  live: false,
  loaded: false,
  failed: false,
});
/** CPU percentages of the last quarter of an hour. */
export const sparks = createSparks();
let clockOffsetMs = 0;

/** The service's time now, epoch ms. */
export function serviceNow(): number {
  return Date.now() + clockOffsetMs;
}

function noteSpark(server: PublicServer): void {
  const value = readNumber(server, "cpu.usagePercent");
  if (value !== undefined && server.latest !== undefined)
    sparks.add(server.id, server.latest.receivedAt, value);
}

/** The servers after a frame; `frame` wins. */
export function applyFrame(
  known: ReadonlyMap<string, PublicServer>,
  frame: Frame,
): ReadonlyMap<string, PublicServer> {
  if (frame.type === "snapshot") return new Map(frame.servers.map((server) => [server.id, server]));
  const next = new Map(known);
  for (const id of frame.remove) next.delete(id);
  for (const server of frame.upsert) next.set(server.id, server);
  return next;
}

function takeFrame(frame: Frame): void {
  clockOffsetMs = frame.now - Date.now();
  const byId = applyFrame(fleet.peek().byId, frame);
  for (const server of frame.type === "snapshot" ? frame.servers : frame.upsert) noteSpark(server);
  if (frame.type === "snapshot" || frame.remove.length > 0) sparks.keep(new Set(byId.keys()));
  const isQuiet =
    frame.type === "delta" && frame.upsert.length + frame.remove.length === 0 && fleet.peek().live;
  if (isQuiet) return;
  const servers = [...byId.values()].sort((a, b) => a.displayOrder - b.displayOrder);
  fleet.value = { servers, byId, live: true, loaded: true, failed: false };
}

/** Begins to follow the feed; once, at the start of the page. */
export function followFleet(): () => void {
  const onLive = (live: boolean): void => {
    // A first frame sets it together with the servers, so that nothing is drawn twice.
    if (!live) fleet.value = { ...fleet.peek(), live, failed: true };
  };
  return openFeed({ onFrame: takeFrame, onLive }, browserFeedPort);
}
