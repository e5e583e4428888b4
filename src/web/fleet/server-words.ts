/** A server in a few words: system, uptime, paid until. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { DAY_MS, toCount, toDay, toMoment, toSpan } from "../app/format.ts";
import { readNumber } from "../app/sample.ts";
import { text } from "../app/texts.ts";
import type { Urgency } from "../ui/urgency.ts";

const SOON_DAYS = 14;
const VERY_SOON_DAYS = 3;

export interface Expiry {
  readonly words: string;
  /** The moment in full. */
  readonly title: string;
  readonly urgency: Urgency;
}

/** When the paid time ends; undefined if not set. */
export function toExpiry(server: PublicServer, nowMs: number): Expiry | undefined {
  const at = server.nextExpiryAt;
  if (at === undefined) return undefined;
  const renews = server.billing?.autoRenew === true;
  const title =
    text("fleet.expiresOn", { date: toMoment(at) }) + (renews ? ` · ${text("fleet.renews")}` : "");
  if (at <= nowMs) return { words: text("fleet.expired"), title, urgency: renews ? "none" : "bad" };
  const days = Math.floor((at - nowMs) / DAY_MS);
  const words =
    days === 0 ? text("fleet.expiresToday") : text("fleet.daysLeft", { days: toCount(days, "day") });
  const urgency = renews || days > SOON_DAYS ? "none" : days > VERY_SOON_DAYS ? "warn" : "bad";
  return { words, title, urgency };
}

const systemNames: Readonly<Record<string, string>> = {
  debian: "Debian",
  ubuntu: "Ubuntu",
  alpine: "Alpine",
  rocky: "Rocky",
  almalinux: "AlmaLinux",
  centos: "CentOS",
  fedora: "Fedora",
  arch: "Arch",
  opensuse: "openSUSE",
  rhel: "RHEL",
  freebsd: "FreeBSD",
  darwin: "macOS",
  win32: "Windows",
  linux: "Linux",
};

/** The system with its version, such as "Debian 12"; empty when it is not known. */
export function toSystem({ host }: PublicServer): string {
  const platform = String(host?.["platform"] ?? host?.["os"] ?? "");
  if (platform === "") return "";
  const version = String(host?.["platformVersion"] ?? "");
  return `${systemNames[platform.toLowerCase()] ?? platform} ${version}`.trim();
}

/** The system, and who rents the machine out. */
export function toSystemLine(server: PublicServer): string {
  return [toSystem(server), server.provider ?? ""].filter((word) => word !== "").join(" · ");
}

/** How long it has been up, gone, or without a report. */
export function toDuration(server: PublicServer, nowMs: number): string {
  if (server.state === "offline")
    return text("fleet.offlineFor", { span: toSpan(nowMs - (server.lastSeenAt ?? server.stateSince)) });
  if (server.reports !== undefined)
    return server.latest === undefined
      ? text(`state.${server.reports}`)
      : text("fleet.silentFor", { span: toSpan(nowMs - server.latest.receivedAt) });
  const seconds = server.state === "online" ? readNumber(server, "uptimeSeconds") : undefined;
  return seconds === undefined
    ? text(`state.${server.state}`)
    : text("fleet.runningFor", { span: toSpan(seconds * 1_000) });
}

/** When a traffic cycle ends. */
export function toReset(server: PublicServer): string {
  return server.traffic === undefined ? "" : text("fleet.resets", { date: toDay(server.traffic.cycleTo) });
}
