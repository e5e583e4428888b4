/** All visible servers as the page knows them, kept up to date by the live feed. */
import { computed, effect, signal } from "@preact/signals";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { dropChecks, forgetChecksRevision, takeChecksRevision } from "./checks.ts";
import { type AlertCounts, openFeed, type Frame } from "./feed.ts";
import { browserFeedPort } from "./feed-port.ts";
import { readNumber } from "./sample.ts";
import { serviceNow, setServiceNow } from "../ui/server-clock.ts";
import { refreshSite, shut } from "./site.ts";
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
  /** When the feed was lost, and when its last frame had come, in the service's time. */
  readonly lost?: { readonly at: number; readonly lastFrameAt: number };
  /** Open alerts; undefined unless an administrator is signed in. */
  readonly alerts?: AlertCounts | undefined;
}

const empty: Fleet = {
  servers: [],
  byId: new Map(),
  live: false,
  loaded: false,
  failed: false,
};
/** Another object with each frame that changes something. */
export const fleet = signal<Fleet>(empty);
/** Whether the feed takes the reader for an administrator. */
export const isAdministrator = computed(() => fleet.value.alerts !== undefined);
/** CPU percentages of the last quarter of an hour. */
export const sparks = createSparks();
let lastFrameAt = 0;

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
  lastFrameAt = frame.now;
  setServiceNow(frame.now);
  const byId = applyFrame(fleet.peek().byId, frame);
  for (const server of frame.type === "snapshot" ? frame.servers : frame.upsert) noteSpark(server);
  if (frame.type === "snapshot" || frame.remove.length > 0) sparks.keep(new Set(byId.keys()));
  const { alerts } = frame;
  takeChecksRevision(frame.checks, alerts !== undefined);
  const before = fleet.peek();
  const isQuiet =
    frame.type === "delta" &&
    frame.upsert.length + frame.remove.length === 0 &&
    before.live &&
    JSON.stringify(alerts) === JSON.stringify(before.alerts);
  if (isQuiet) return;
  const servers = [...byId.values()].sort((a, b) => a.displayOrder - b.displayOrder);
  fleet.value = { servers, byId, live: true, loaded: true, failed: false, alerts };
}

let stopFollowing: () => void = () => undefined;

/** Begins to follow the feed; again when the reader has signed in or out, since others see other servers. */
export function followFleet(): void {
  stopFollowing();
  forgetChecksRevision();
  const onLive = (live: boolean): void => {
    // A first frame sets it together with the servers, so that nothing is drawn twice.
    if (live) return;
    forgetChecksRevision();
    const before = fleet.peek();
    fleet.value = { ...before, live, failed: true, lost: before.lost ?? { at: serviceNow(), lastFrameAt } };
    // The close event does not say why: the reader may have lost access.
    void refreshSite();
  };
  stopFollowing = openFeed({ onFrame: takeFrame, onLive }, browserFeedPort);
}

/** Reloads everything after a sign-in or sign-out. */
export function changeReader(): void {
  followFleet();
  void refreshSite();
}

effect(() => {
  if (!shut.value) return;
  stopFollowing();
  fleet.value = empty;
  dropChecks();
});
