/** The lists of a server as its agent gets them when it asks: names and patterns, and nothing else. */
import { type ServerLists, noServerLists } from "../base/schema.ts";

export interface SentLists {
  /** Differs where the lists do; "0" of empty ones, with which every agent starts. */
  readonly revision: string;
  readonly json: string;
}

/** FNV-1a: it only has to differ. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return sum.toString(36);
}

export function toSentLists({
  mounts,
  interfaces,
  sensors,
  containers,
  units,
}: ServerLists = noServerLists): SentLists {
  const isEmpty = [mounts, interfaces, sensors, containers, units].every((list) => list === "");
  const json = JSON.stringify({ mounts, interfaces, sensors, containers, units });
  return { revision: isEmpty ? "0" : hash(json), json };
}
