/** What posts that come from alerts say, in each language of a page. They name components, and nothing of checks. */
import type { Language } from "../../base/labels.ts";

/** Names of components stand in one text; `count` says how many they are. */
interface Named {
  readonly names: string;
  readonly count: number;
}

export interface AlertPostWords {
  readonly comma: string;
  /** After some of the names. */
  andMore(count: number): string;
  title(named: Named & { isPartial: boolean }): string;
  investigating(named: Named): string;
  alsoAffected(named: Named): string;
  backAgain(named: Named): string;
  resolved(lasted: string): string;
}

const en: AlertPostWords = {
  comma: ", ",
  andMore: (count) => `${count} more`,
  title: ({ names, count, isPartial }) =>
    `${names} ${count === 1 ? "is" : "are"} ${isPartial ? "not available for everybody" : "not available"}`,
  investigating: ({ names }) => `Our monitoring found a problem with ${names}. We are looking into it.`,
  alsoAffected: ({ names }) => `Also affected: ${names}.`,
  backAgain: ({ names }) => `Available again: ${names}.`,
  resolved: (lasted) => `All is available again. It lasted ${lasted}.`,
};

const zh: AlertPostWords = {
  comma: "、",
  andMore: (count) => `另外 ${count} 项`,
  title: ({ names, isPartial }) => `${names} ${isPartial ? "部分用户无法访问" : "无法访问"}`,
  investigating: ({ names }) => `我们的监控发现 ${names} 出现问题，我们正在调查。`,
  alsoAffected: ({ names }) => `同时受影响：${names}。`,
  backAgain: ({ names }) => `已恢复：${names}。`,
  resolved: (lasted) => `一切已恢复正常，历时 ${lasted}。`,
};

const de: AlertPostWords = {
  comma: ", ",
  andMore: (count) => `${count} weitere`,
  title: ({ names, count, isPartial }) =>
    `${names} ${count === 1 ? "ist" : "sind"} ${isPartial ? "nicht für alle verfügbar" : "nicht verfügbar"}`,
  investigating: ({ names }) =>
    `Unsere Überwachung hat ein Problem bei ${names} festgestellt. Wir gehen dem nach.`,
  alsoAffected: ({ names }) => `Auch betroffen: ${names}.`,
  backAgain: ({ names }) => `Wieder verfügbar: ${names}.`,
  resolved: (lasted) => `Alles ist wieder verfügbar. Es dauerte ${lasted}.`,
};

/** By language. */
export const alertPostWords: Readonly<Record<Language, AlertPostWords>> = { en, zh, de };
