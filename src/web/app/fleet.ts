/**
 * All visible servers as the page knows them, kept up to date by the live feed. Hidden here: how frames
 * change the list, the offset to the service's clock, and the short past that sparklines show.
 */
import type { PublicServer } from "../../monitor/view-schema.ts";
import type { Frame } from "./feed.ts";
import { openFeed } from "./feed.ts";
import { createObservable, useObservable } from "./observable.ts";

export interface Fleet {
  /** In display order; a new list and a new object for each server that changed. */
  readonly servers: readonly PublicServer[];
  /** Frames come in; false before the first and while the connection is lost. */
  readonly live: boolean;
  /** Whether there ever was a snapshot. */
  readonly loaded: boolean;
}

/** Values kept for a sparkline: two minutes at the feed's usual pace. */
const SPARK_POINTS = 60;

const fleet = createObservable<Fleet>({ servers: [], live: false, loaded: false });
let byId = new Map<string, PublicServer>();
const sparks = new Map<string, number[]>();
let clockOffsetMs = 0;

/** The service's time now, epoch ms. */
export function serviceNow(): number {
  return Date.now() + clockOffsetMs;
}

function readCpu(server: PublicServer): number | undefined {
  const cpu = server.latest?.sample["cpu"];
  if (typeof cpu !== "object" || cpu === null || !("usagePercent" in cpu)) return undefined;
  return typeof cpu.usagePercent === "number" ? cpu.usagePercent : undefined;
}

function noteSpark(server: PublicServer): void {
  const value = readCpu(server);
  if (value === undefined) return;
  const points = sparks.get(server.id) ?? [];
  points.push(value);
  if (points.length > SPARK_POINTS) points.shift();
  sparks.set(server.id, points);
}

/** The last CPU percentages of a server that this page saw, oldest first. */
export function findSpark(id: string): readonly number[] {
  return sparks.get(id) ?? [];
}

function takeFrame(frame: Frame): void {
  clockOffsetMs = frame.now - Date.now();
  if (frame.type === "snapshot") byId = new Map(frame.servers.map((server) => [server.id, server]));
  else {
    for (const id of frame.remove) byId.delete(id);
    for (const server of frame.upsert) byId.set(server.id, server);
  }
  for (const server of frame.type === "snapshot" ? frame.servers : frame.upsert) noteSpark(server);
  for (const id of sparks.keys()) if (!byId.has(id)) sparks.delete(id);
  const servers = [...byId.values()].sort((a, b) => a.displayOrder - b.displayOrder);
  fleet.set({ servers, live: true, loaded: true });
}

/** Begins to follow the feed; once, at the start of the page. */
export function followFleet(): () => void {
  return openFeed({
    onFrame: takeFrame,
    onLive: (live) => {
      if (fleet.get().live !== live) fleet.set({ ...fleet.get(), live });
    },
  });
}

/** The fleet; the component is drawn again with each frame. */
export function useFleet(): Fleet {
  return useObservable(fleet);
}
