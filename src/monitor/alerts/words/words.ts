/** The words of notifications that do not depend on the kind of rule, in each language. */
import type { Language } from "../../labels.ts";
import type { NoticeSeverity } from "../../channels/kinds/notice.ts";

/** Why an incident ended without a recovery. */
type Closed =
  | "rule_changed"
  | "rule_disabled"
  | "rule_deleted"
  | "server_gone"
  | "server_disabled"
  | "left_scope";

/** How many incidents of a message go on, came and went, and are over. */
export const sectionNames = ["firing", "passed", "over"] as const;
export type SectionName = (typeof sectionNames)[number];

/** Times come as a clock on the wall shows them, durations as people read them. */
export interface NoticeWords {
  readonly severities: Readonly<Record<NoticeSeverity, string>>;
  /** After what is wrong. */
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
  /** An incident that ended without a recovery: the title's end, and the sentence that says what it means. */
  closed(ruleName: string, reason: Closed): string;
  readonly closedLines: Readonly<Record<Closed, string>>;
  readonly headings: Readonly<Record<SectionName, string>>;
  counts(name: SectionName, count: number): string;
  readonly listComma: string;
  andMore(count: number): string;
  digest(counts: string): string;
  passed(count: number): string;
  many(direction: "down" | "up", count: number): string;
}

const en: NoticeWords = {
  severities: { info: "information", warning: "warning", critical: "critical" },
  since: (time, lasted) => ` since ${time} (${lasted})`,
  after: (lasted) => ` after ${lasted}`,
  reminder: "Reminder: ",
  rule: (name, severity) => `Rule: ${name} (${severity})`,
  condition: (condition) => `Condition: ${condition}`,
  sinceLine: (time, zone, lasted) => `Since: ${time} ${zone} (${lasted})`,
  untilLine: (from, until, { zone, lasted }) => `From ${from} until ${until} ${zone} (${lasted})`,
  values: (values) => `Last values: ${values}`,
  valueNames: { cpu: "CPU", memory: "memory", disk: "disk", fullest: "fullest disk" },
  closed: (ruleName, reason) =>
    `: "${ruleName}" closed, ${
      {
        rule_changed: "the rule was edited",
        rule_disabled: "the rule was switched off",
        rule_deleted: "the rule was deleted",
        server_gone: "the server was deleted",
        server_disabled: "the server was paused here",
        left_scope: "the rule covers other servers now",
      }[reason]
    }`,
  closedLines: {
    rule_changed: "Someone edited the rule. It keeps watching this server with its new condition.",
    rule_disabled: "Someone switched the rule off. Other rules keep watching this server.",
    rule_deleted: "Someone deleted the rule. Other rules keep watching this server.",
    server_gone: "Someone deleted the server.",
    server_disabled: "Someone paused the server in the monitor. Resume it to watch it again.",
    left_scope: "Someone changed which servers the rule covers. Other rules keep watching this server.",
  },
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
  since: (time, lasted) => `，自 ${time} 起（${lasted}）`,
  after: (lasted) => `（历时 ${lasted}）`,
  reminder: "提醒：",
  rule: (name, severity) => `规则：${name}（${severity}）`,
  condition: (condition) => `条件：${condition}`,
  sinceLine: (time, zone, lasted) => `开始时间：${time} ${zone}（${lasted}）`,
  untilLine: (from, until, { zone, lasted }) => `${from} 至 ${until} ${zone}（${lasted}）`,
  values: (values) => `最近数值：${values}`,
  valueNames: { cpu: "CPU", memory: "内存", disk: "磁盘", fullest: "最满的磁盘" },
  closed: (ruleName, reason) =>
    `：“${ruleName}”已关闭，${
      {
        rule_changed: "规则已修改",
        rule_disabled: "规则已停用",
        rule_deleted: "规则已删除",
        server_gone: "服务器已删除",
        server_disabled: "服务器已停用",
        left_scope: "规则的范围已改变",
      }[reason]
    }`,
  closedLines: {
    rule_changed: "有人修改了规则，它会按新的条件继续监测这台服务器。",
    rule_disabled: "有人停用了规则，其他规则继续监测这台服务器。",
    rule_deleted: "有人删除了规则，其他规则继续监测这台服务器。",
    server_gone: "有人删除了这台服务器。",
    server_disabled: "有人在监控中停用了这台服务器，启用后会继续监测。",
    left_scope: "有人修改了规则的范围，其他规则继续监测这台服务器。",
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
  since: (time, lasted) => ` seit ${time} (${lasted})`,
  after: (lasted) => ` nach ${lasted}`,
  reminder: "Erinnerung: ",
  rule: (name, severity) => `Regel: ${name} (${severity})`,
  condition: (condition) => `Bedingung: ${condition}`,
  sinceLine: (time, zone, lasted) => `Seit: ${time} ${zone} (${lasted})`,
  untilLine: (from, until, { zone, lasted }) => `Von ${from} bis ${until} ${zone} (${lasted})`,
  values: (values) => `Letzte Werte: ${values}`,
  valueNames: { cpu: "CPU", memory: "Speicher", disk: "Festplatte", fullest: "vollste Festplatte" },
  closed: (ruleName, reason) =>
    `: „${ruleName}“ beendet, ${
      {
        rule_changed: "die Regel wurde bearbeitet",
        rule_disabled: "die Regel wurde ausgeschaltet",
        rule_deleted: "die Regel wurde gelöscht",
        server_gone: "der Server wurde gelöscht",
        server_disabled: "der Server wurde hier pausiert",
        left_scope: "die Regel gilt jetzt für andere Server",
      }[reason]
    }`,
  closedLines: {
    rule_changed:
      "Jemand hat die Regel bearbeitet. Sie überwacht diesen Server mit der neuen Bedingung weiter.",
    rule_disabled: "Jemand hat die Regel ausgeschaltet. Andere Regeln überwachen diesen Server weiter.",
    rule_deleted: "Jemand hat die Regel gelöscht. Andere Regeln überwachen diesen Server weiter.",
    server_gone: "Jemand hat den Server gelöscht.",
    server_disabled:
      "Jemand hat den Server im Monitor pausiert. Setze ihn fort, um ihn wieder zu überwachen.",
    left_scope:
      "Jemand hat geändert, für welche Server die Regel gilt. Andere Regeln überwachen diesen Server weiter.",
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
