/** The words of notifications that do not depend on the kind of rule, in each language. */
import type { Language } from "../../base/labels.ts";
import type { NoticeSeverity } from "../../channels/kinds/notice.ts";

/** Why an incident ended without a recovery. */
type Closed =
  | "rule_changed"
  | "rule_disabled"
  | "rule_deleted"
  | "server_gone"
  | "server_disabled"
  | "check_gone"
  | "check_paused"
  | "left_scope";

/** An end without a recovery, of an incident about a server or a check. */
interface ClosedEnd {
  readonly reason: Closed;
  readonly of: "server" | "check";
}

/** How many incidents of a message go on, came and went, and are over. */
export const sectionNames = ["firing", "passed", "over"] as const;
export type SectionName = (typeof sectionNames)[number];

/** Times come as a clock on the wall shows them, durations as people read them. */
export interface NoticeWords {
  readonly severities: Readonly<Record<NoticeSeverity, string>>;
  /** After what is wrong; `lasted` is "" while it has only just begun. */
  since(time: string, lasted: string): string;
  /** After what is over. */
  after(lasted: string): string;
  /** In front of the title of a repeated notification. */
  readonly reminder: string;
  rule(name: string, severity: string): string;
  condition(condition: string): string;
  sinceLine(time: string, zone: string, lasted: string): string;
  untilLine(from: string, until: string, options: { zone: string; lasted: string }): string;
  values(values: string): string;
  readonly valueNames: Readonly<Record<"cpu" | "memory" | "disk" | "fullest", string>>;
  /** The monitor as a place that checks. */
  readonly center: string;
  /** From where a check is down; `names` are some or all of them. */
  downFrom(names: string, counts: { down: number; reported: number }): string;
  /** What a check looks at. */
  target(target: string): string;
  /** What the target of a check said. */
  detail(detail: string): string;
  /** When the sign of a heartbeat that stays away was due. */
  due(time: string, zone: string): string;
  latency(ms: number): string;
  /** An incident that ended without a recovery: the title's end, and the sentence that says what it means. */
  closed(ruleName: string, end: ClosedEnd): string;
  closedLine(end: ClosedEnd): string;
  readonly headings: Readonly<Record<SectionName, string>>;
  counts(name: SectionName, count: number): string;
  readonly listComma: string;
  andMore(count: number): string;
  digest(counts: string): string;
  passed(count: number): string;
  many(direction: "down" | "up", count: number): string;
}

const inBrackets = (text: string): string => (text === "" ? "" : ` (${text})`);

const en: NoticeWords = {
  severities: { info: "information", warning: "warning", critical: "critical" },
  since: (time, lasted) => ` since ${time}${inBrackets(lasted)}`,
  after: (lasted) => ` after ${lasted}`,
  reminder: "Reminder: ",
  rule: (name, severity) => `Rule: ${name} (${severity})`,
  condition: (condition) => `Condition: ${condition}`,
  sinceLine: (time, zone, lasted) => `Since: ${time} ${zone}${inBrackets(lasted)}`,
  untilLine: (from, until, { zone, lasted }) => `From ${from} until ${until} ${zone} (${lasted})`,
  values: (values) => `Last values: ${values}`,
  valueNames: { cpu: "CPU", memory: "memory", disk: "disk", fullest: "fullest disk" },
  center: "this monitor",
  downFrom: (names, { down, reported }) => `Down from: ${names} (${down} of ${reported} places)`,
  target: (target) => `Target: ${target}`,
  detail: (detail) => `Found: ${detail}`,
  due: (time, zone) => `Due: ${time} ${zone}`,
  latency: (ms) => `Response time: ${ms} ms`,
  closed: (ruleName, { reason, of }) =>
    `: "${ruleName}" closed, ${
      {
        rule_changed: "the rule was edited",
        rule_disabled: "the rule was switched off",
        rule_deleted: "the rule was deleted",
        server_gone: "the server was deleted",
        server_disabled: "the server was paused here",
        check_gone: "the check was deleted",
        check_paused: "the check was paused",
        left_scope: `the rule covers other ${of}s now`,
      }[reason]
    }`,
  closedLine: ({ reason, of }) =>
    ({
      rule_changed: `Someone edited the rule. It keeps watching this ${of} with its new condition.`,
      rule_disabled: `Someone switched the rule off. Other rules keep watching this ${of}.`,
      rule_deleted: `Someone deleted the rule. Other rules keep watching this ${of}.`,
      server_gone: "Someone deleted the server.",
      server_disabled: "Someone paused the server in the monitor. Resume it to watch it again.",
      check_gone: "Someone deleted the check.",
      check_paused: "Someone paused the check. Resume it to watch it again.",
      left_scope: `Someone changed which ${of}s the rule covers. Other rules keep watching this ${of}.`,
    })[reason],
  headings: { firing: "Still firing:", passed: "Came and went:", over: "Over:" },
  counts: (name, count) =>
    `${count} ${{ firing: "still firing", passed: "came and went", over: "over" }[name]}`,
  listComma: ", ",
  andMore: (count) => `and ${count} more`,
  digest: (counts) => `Quiet hours are over: ${counts}`,
  passed: (count) => `${count} alerts came and went`,
  many: (direction, count) => `${count} alerts are ${direction === "down" ? "firing" : "over"}`,
};

const zh: NoticeWords = {
  severities: { info: "提示", warning: "警告", critical: "严重" },
  since: (time, lasted) => `，自 ${time} 起${lasted === "" ? "" : `（${lasted}）`}`,
  after: (lasted) => `（历时 ${lasted}）`,
  reminder: "提醒：",
  rule: (name, severity) => `规则：${name}（${severity}）`,
  condition: (condition) => `条件：${condition}`,
  sinceLine: (time, zone, lasted) => `开始时间：${time} ${zone}${lasted === "" ? "" : `（${lasted}）`}`,
  untilLine: (from, until, { zone, lasted }) => `${from} 至 ${until} ${zone}（${lasted}）`,
  values: (values) => `最近数值：${values}`,
  valueNames: { cpu: "CPU", memory: "内存", disk: "磁盘", fullest: "最满的磁盘" },
  center: "本监控",
  downFrom: (names, { down, reported }) => `故障位置：${names}（${reported} 个中的 ${down} 个）`,
  target: (target) => `目标：${target}`,
  detail: (detail) => `详情：${detail}`,
  due: (time, zone) => `应到时间：${time} ${zone}`,
  latency: (ms) => `响应时间：${ms} 毫秒`,
  closed: (ruleName, { reason }) =>
    `：“${ruleName}”已关闭，${
      {
        rule_changed: "规则已修改",
        rule_disabled: "规则已停用",
        rule_deleted: "规则已删除",
        server_gone: "服务器已删除",
        server_disabled: "服务器已停用",
        check_gone: "检查已删除",
        check_paused: "检查已暂停",
        left_scope: "规则的范围已改变",
      }[reason]
    }`,
  closedLine: ({ reason, of }) => {
    const it = of === "server" ? "这台服务器" : "这项检查";
    return {
      rule_changed: `有人修改了规则，它会按新的条件继续监测${it}。`,
      rule_disabled: `有人停用了规则，其他规则继续监测${it}。`,
      rule_deleted: `有人删除了规则，其他规则继续监测${it}。`,
      server_gone: "有人删除了这台服务器。",
      server_disabled: "有人在监控中停用了这台服务器，启用后会继续监测。",
      check_gone: "有人删除了这项检查。",
      check_paused: "有人暂停了这项检查，恢复后会继续监测。",
      left_scope: `有人修改了规则的范围，其他规则继续监测${it}。`,
    }[reason];
  },
  headings: { firing: "仍在告警：", passed: "出现后已恢复：", over: "已结束：" },
  counts: (name, count) =>
    `${count} 条${{ firing: "仍在告警", passed: "出现后已恢复", over: "已结束" }[name]}`,
  listComma: "，",
  andMore: (count) => `另有 ${count} 条`,
  digest: (counts) => `免打扰时段结束：${counts}`,
  passed: (count) => `${count} 条告警出现后已恢复`,
  many: (direction, count) => `${count} 条告警${direction === "down" ? "正在触发" : "已结束"}`,
};

const de: NoticeWords = {
  severities: { info: "Hinweis", warning: "Warnung", critical: "kritisch" },
  since: (time, lasted) => ` seit ${time}${inBrackets(lasted)}`,
  after: (lasted) => ` nach ${lasted}`,
  reminder: "Erinnerung: ",
  rule: (name, severity) => `Regel: ${name} (${severity})`,
  condition: (condition) => `Bedingung: ${condition}`,
  sinceLine: (time, zone, lasted) => `Seit: ${time} ${zone}${inBrackets(lasted)}`,
  untilLine: (from, until, { zone, lasted }) => `Von ${from} bis ${until} ${zone} (${lasted})`,
  values: (values) => `Letzte Werte: ${values}`,
  valueNames: { cpu: "CPU", memory: "Speicher", disk: "Festplatte", fullest: "vollste Festplatte" },
  center: "dieser Monitor",
  downFrom: (names, { down, reported }) => `Ausgefallen von: ${names} (${down} von ${reported} Orten)`,
  target: (target) => `Ziel: ${target}`,
  detail: (detail) => `Befund: ${detail}`,
  due: (time, zone) => `Fällig: ${time} ${zone}`,
  latency: (ms) => `Antwortzeit: ${ms} ms`,
  closed: (ruleName, { reason, of }) =>
    `: „${ruleName}“ beendet, ${
      {
        rule_changed: "die Regel wurde bearbeitet",
        rule_disabled: "die Regel wurde ausgeschaltet",
        rule_deleted: "die Regel wurde gelöscht",
        server_gone: "der Server wurde gelöscht",
        server_disabled: "der Server wurde hier pausiert",
        check_gone: "die Prüfung wurde gelöscht",
        check_paused: "die Prüfung wurde pausiert",
        left_scope: `die Regel gilt jetzt für andere ${of === "server" ? "Server" : "Prüfungen"}`,
      }[reason]
    }`,
  closedLine: ({ reason, of }) => {
    const [it, all] = of === "server" ? ["diesen Server", "Server"] : ["diese Prüfung", "Prüfungen"];
    return {
      rule_changed: `Jemand hat die Regel bearbeitet. Sie überwacht ${it} mit der neuen Bedingung weiter.`,
      rule_disabled: `Jemand hat die Regel ausgeschaltet. Andere Regeln überwachen ${it} weiter.`,
      rule_deleted: `Jemand hat die Regel gelöscht. Andere Regeln überwachen ${it} weiter.`,
      server_gone: "Jemand hat den Server gelöscht.",
      server_disabled:
        "Jemand hat den Server im Monitor pausiert. Setzen Sie ihn fort, um ihn wieder zu überwachen.",
      check_gone: "Jemand hat die Prüfung gelöscht.",
      check_paused:
        "Jemand hat die Prüfung pausiert. Setzen Sie sie fort, um wieder benachrichtigt zu werden.",
      left_scope: `Jemand hat geändert, für welche ${all} die Regel gilt. Andere Regeln überwachen ${it} weiter.`,
    }[reason];
  },
  headings: { firing: "Noch offen:", passed: "Kamen und gingen:", over: "Vorbei:" },
  counts: (name, count) =>
    `${count} ${{ firing: "noch offen", passed: "kamen und gingen", over: "vorbei" }[name]}`,
  listComma: ", ",
  andMore: (count) => `und ${count} weitere`,
  digest: (counts) => `Die Ruhezeit ist vorbei: ${counts}`,
  passed: (count) => `${count} Alarme kamen und gingen`,
  many: (direction, count) => `${count} Alarme ${direction === "down" ? "sind offen" : "sind vorbei"}`,
};

/** By language. */
export const noticeWords: Readonly<Record<Language, NoticeWords>> = { en, zh, de };
