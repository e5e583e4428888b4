/** Mails about withdrawals; languages without their own get English. */

const en = {
  withdrawal_received: [
    "We have received your withdrawal",
    "We have received your withdrawal. This mail acknowledges its receipt with its content and time; please keep it.",
  ],
  withdrawal_accepted: [
    "About your withdrawal",
    "Your withdrawal is accepted. You get your money back by {refundBy} at the latest.",
  ],
  withdrawal_declined: ["About your withdrawal", "We have looked at your withdrawal and cannot accept it."],
  receivedAt: "Received on",
  reference: "Reference",
  name: "Name",
  order: "Order",
  email: "Acknowledgement to",
  what: "Withdrawn from",
  whole: "the whole order",
} satisfies Record<string, string | readonly [title: string, intro: string]>;
export type WithdrawalWords = typeof en;

const de: WithdrawalWords = {
  withdrawal_received: [
    "Ihr Widerruf ist eingegangen",
    "Ihr Widerruf ist bei uns eingegangen. Diese Mail bestätigt den Eingang mit Inhalt und Zeitpunkt; bitte bewahren Sie sie auf.",
  ],
  withdrawal_accepted: [
    "Zu Ihrem Widerruf",
    "Wir haben Ihren Widerruf angenommen. Sie erhalten Ihr Geld spätestens bis {refundBy} zurück.",
  ],
  withdrawal_declined: [
    "Zu Ihrem Widerruf",
    "Wir haben Ihren Widerruf geprüft und können ihn nicht annehmen.",
  ],
  receivedAt: "Eingegangen am",
  reference: "Zeichen",
  name: "Name",
  order: "Bestellung",
  email: "Bestätigung an",
  what: "Widerrufen wird",
  whole: "die ganze Bestellung",
};

const zh: WithdrawalWords = {
  withdrawal_received: [
    "已收到您的撤回声明",
    "我们已收到您的撤回声明。本邮件确认收到，并载明其内容和时间，请妥善保存。",
  ],
  withdrawal_accepted: ["关于您的撤回", "您的撤回已被接受，款项最迟于 {refundBy} 退还给您。"],
  withdrawal_declined: ["关于您的撤回", "我们已审核您的撤回，无法予以接受。"],
  receivedAt: "收到时间",
  reference: "编号",
  name: "姓名",
  order: "订单",
  email: "回执发送至",
  what: "撤回内容",
  whole: "整个订单",
};

/** The words of a language, and the language that they are in. */
export function findWithdrawalWords(language: string): {
  readonly words: WithdrawalWords;
  readonly language: string;
} {
  const base = language.split("-")[0]?.toLowerCase() ?? "";
  if (base === "de") return { words: de, language: base };
  return base === "zh" ? { words: zh, language: base } : { words: en, language: "en" };
}
