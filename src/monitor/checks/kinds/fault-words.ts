/** Every fault of checks in words of people, for notifications, the console and mails alike. */
import type { ProbeFault } from "../../../kit/probes/probe.ts";
import type { Labels } from "../../base/labels.ts";

/** What a try can lack, and what heartbeats and inverted checks alone can. */
type Fault = ProbeFault | "late" | "failed" | "overrun" | "answered";

/** What is wrong in a few words, to be read after the check's name and a colon. */
export const faultWords: Readonly<Record<Fault, Labels>> = {
  timeout: { en: "no answer in time", zh: "未及时响应", de: "keine Antwort in der gesetzten Zeit" },
  refused: { en: "connection refused", zh: "连接被拒绝", de: "Verbindung abgelehnt" },
  reset: { en: "connection broken off", zh: "连接被重置", de: "Verbindung abgebrochen" },
  unreachable: { en: "no way to it", zh: "网络不可达", de: "kein Weg dorthin" },
  dns: {
    en: "its name is not found as expected",
    zh: "域名解析不符合预期",
    de: "der Name wird nicht wie erwartet gefunden",
  },
  certificate: { en: "certificate is not valid", zh: "证书无效", de: "Zertifikat ist ungültig" },
  certificate_ends: { en: "certificate ends soon", zh: "证书即将到期", de: "Zertifikat endet bald" },
  tls: { en: "no secure connection", zh: "无法建立安全连接", de: "keine sichere Verbindung" },
  status: { en: "unexpected status", zh: "状态码不符合预期", de: "unerwarteter Status" },
  content: { en: "unexpected content", zh: "内容不符合预期", de: "unerwarteter Inhalt" },
  slow: { en: "too slow", zh: "响应过慢", de: "zu langsam" },
  redirects: { en: "too many redirects", zh: "重定向过多", de: "zu viele Weiterleitungen" },
  forbidden: {
    en: "its address may not be asked",
    zh: "不允许访问该地址",
    de: "die Adresse darf nicht abgefragt werden",
  },
  protocol: { en: "answer not understood", zh: "无法理解其响应", de: "Antwort nicht verständlich" },
  unsupported: {
    en: "cannot be checked from there",
    zh: "该位置无法执行此检查",
    de: "von dort nicht prüfbar",
  },
  not_judged: { en: "not judged", zh: "无法判定", de: "nicht beurteilt" },
  late: { en: "no sign of life in time", zh: "未按时收到心跳", de: "kein Lebenszeichen zur rechten Zeit" },
  failed: { en: "it reported a failure", zh: "报告了失败", de: "ein Fehler wurde gemeldet" },
  overrun: { en: "runs for too long", zh: "运行时间过长", de: "läuft zu lange" },
  answered: {
    en: "answers although it should not",
    zh: "不应响应却有响应",
    de: "antwortet, obwohl es das nicht soll",
  },
};
