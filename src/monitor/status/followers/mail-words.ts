/** What mails to followers say, in the languages that there are. `{page}`, `{from}`, `{to}`, `{hours}` stand for values. */
import type { Language } from "../../base/labels.ts";
import type { ComponentStatus, PostRecord } from "../schema.ts";
import type { FollowerEvent } from "./schema.ts";

export interface FollowerWords {
  /** The first sentence of a mail, by what it tells. */
  readonly leads: Readonly<Record<FollowerEvent, string>>;
  readonly steps: Readonly<Record<PostRecord["step"], string>>;
  readonly statuses: Readonly<Record<ComponentStatus, string>>;
  readonly window: string;
  readonly open: string;
  readonly why: string;
  readonly change: string;
  readonly end: string;
  readonly confirm: {
    readonly title: string;
    readonly text: string;
    readonly button: string;
    readonly note: string;
  };
  readonly known: {
    readonly title: string;
    readonly text: string;
    readonly button: string;
    readonly note: string;
  };
  /** Between names of components. */
  readonly about: string;
}

const en: FollowerWords = {
  leads: {
    "incident.created": "There is an incident.",
    "incident.updated": "There is news about this incident.",
    "incident.resolved": "This incident is resolved.",
    "maintenance.scheduled": "Maintenance is planned.",
    "maintenance.updated": "There is news about this maintenance.",
    "maintenance.started": "This maintenance has begun.",
    "maintenance.completed": "This maintenance is completed.",
  },
  steps: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
    postmortem: "Postmortem",
    scheduled: "Planned",
    in_progress: "In progress",
    verifying: "Verifying",
    completed: "Completed",
  },
  statuses: {
    operational: "Operational",
    under_maintenance: "Under maintenance",
    degraded_performance: "Slow",
    partial_outage: "Down in part",
    major_outage: "Down",
  },
  window: "From {from} to {to}",
  open: "Open the status page",
  why: "You get this mail because you follow {page}.",
  change: "Change what you follow",
  end: "Stop these mails",
  confirm: {
    title: "Follow {page}?",
    text: "Somebody, perhaps you, wants mails from {page} sent to this address when something is wrong and when maintenance is planned. Say yes to get them.",
    button: "Yes, send me these mails",
    note: "If you did not ask for this, do nothing: without your yes you get no further mail, and the address is forgotten after three days.",
  },
  known: {
    title: "You follow {page} already",
    text: "Somebody, perhaps you, asked for mails from {page} to this address. It gets them already. You can change which parts they are about, or end them.",
    button: "Change what you follow",
    note: "If you did not ask for this, do nothing: all stays as it is.",
  },
  about: "About: {names}",
};

const zh: FollowerWords = {
  leads: {
    "incident.created": "发生了一起事件。",
    "incident.updated": "此事件有新进展。",
    "incident.resolved": "此事件已解决。",
    "maintenance.scheduled": "已安排维护。",
    "maintenance.updated": "此次维护有新消息。",
    "maintenance.started": "此次维护已开始。",
    "maintenance.completed": "此次维护已完成。",
  },
  steps: {
    investigating: "正在调查",
    identified: "已找到原因",
    monitoring: "正在观察",
    resolved: "已解决",
    postmortem: "事后分析",
    scheduled: "已计划",
    in_progress: "进行中",
    verifying: "正在验证",
    completed: "已完成",
  },
  statuses: {
    operational: "正常",
    under_maintenance: "维护中",
    degraded_performance: "变慢",
    partial_outage: "部分中断",
    major_outage: "中断",
  },
  window: "{from} 至 {to}",
  open: "打开状态页",
  why: "你收到这封邮件，是因为你订阅了 {page}。",
  change: "更改订阅内容",
  end: "停止接收这些邮件",
  confirm: {
    title: "订阅 {page}？",
    text: "有人（也许是你）希望在出现故障或安排维护时，把 {page} 的邮件发送到此地址。确认后你才会收到。",
    button: "是的，给我发送这些邮件",
    note: "如果不是你提出的，无需任何操作：未经你确认不会再发邮件，此地址三天后会被删除。",
  },
  known: {
    title: "你已订阅 {page}",
    text: "有人（也许是你）请求把 {page} 的邮件发送到此地址。此地址已在接收这些邮件。你可以更改订阅的部分，或取消订阅。",
    button: "更改订阅内容",
    note: "如果不是你提出的，无需任何操作：一切保持不变。",
  },
  about: "涉及：{names}",
};

const de: FollowerWords = {
  leads: {
    "incident.created": "Es gibt eine Störung.",
    "incident.updated": "Es gibt Neues zu dieser Störung.",
    "incident.resolved": "Diese Störung ist behoben.",
    "maintenance.scheduled": "Eine Wartung ist geplant.",
    "maintenance.updated": "Es gibt Neues zu dieser Wartung.",
    "maintenance.started": "Diese Wartung hat begonnen.",
    "maintenance.completed": "Diese Wartung ist abgeschlossen.",
  },
  steps: {
    investigating: "Wird untersucht",
    identified: "Ursache gefunden",
    monitoring: "Wird beobachtet",
    resolved: "Behoben",
    postmortem: "Nachbetrachtung",
    scheduled: "Geplant",
    in_progress: "Läuft",
    verifying: "Wird geprüft",
    completed: "Abgeschlossen",
  },
  statuses: {
    operational: "In Betrieb",
    under_maintenance: "In Wartung",
    degraded_performance: "Langsam",
    partial_outage: "Teilweise gestört",
    major_outage: "Ausgefallen",
  },
  window: "Von {from} bis {to}",
  open: "Statusseite öffnen",
  why: "Sie bekommen diese E-Mail, weil Sie {page} folgen.",
  change: "Ändern, wem Sie folgen",
  end: "Keine solchen E-Mails mehr",
  confirm: {
    title: "{page} folgen?",
    text: "Jemand, vielleicht Sie, möchte, dass diese Adresse E-Mails von {page} bekommt, wenn etwas nicht funktioniert oder eine Wartung geplant ist. Sagen Sie Ja, um sie zu bekommen.",
    button: "Ja, senden Sie mir diese E-Mails",
    note: "Wenn Sie das nicht waren, tun Sie nichts: Ohne Ihr Ja bekommen Sie keine weitere E-Mail, und die Adresse wird nach drei Tagen vergessen.",
  },
  known: {
    title: "Sie folgen {page} bereits",
    text: "Jemand, vielleicht Sie, hat E-Mails von {page} an diese Adresse gewünscht. Sie bekommt sie bereits. Sie können ändern, um welche Teile es geht, oder sie beenden.",
    button: "Ändern, wem Sie folgen",
    note: "Wenn Sie das nicht waren, tun Sie nichts: Alles bleibt, wie es ist.",
  },
  about: "Betrifft: {names}",
};

export const followerWords: Readonly<Record<Language, FollowerWords>> = { en, zh, de };
