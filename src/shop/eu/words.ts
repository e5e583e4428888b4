/** What a shop front has to word exactly, in the languages that the shop knows the law's own words in. */

const en = {
  /** The button that ends a checkout (Article 8(2) of Directive 2011/83/EU). */
  orderButton: "Order with obligation to pay",
  /** What a buyer agrees to before digital goods are handed over (Article 16, first paragraph, point (m)). */
  digitalContent:
    "I expressly agree that the digital content is handed over to me before the withdrawal period ends, and I know that I lose my right of withdrawal by this.",
  terms: "I have read the terms and agree to them.",
  /** The way to the withdrawal function, and its second step (Article 11a). */
  withdraw: "Withdraw from contract here",
  confirmWithdrawal: "Confirm withdrawal",
  /** Before the price of Article 6a of Directive 98/6/EC. */
  lowestPrice: "Lowest price of the 30 days before the reduction",
};
/** Words of the law for the pages of a shop. */
export type EuWords = typeof en;

const de: EuWords = {
  orderButton: "Zahlungspflichtig bestellen",
  digitalContent:
    "Ich stimme ausdrücklich zu, dass mir die digitalen Inhalte vor Ablauf der Widerrufsfrist bereitgestellt werden, und weiß, dass ich dadurch mein Widerrufsrecht verliere.",
  terms: "Ich habe die Geschäftsbedingungen gelesen und stimme ihnen zu.",
  withdraw: "Vertrag widerrufen",
  confirmWithdrawal: "Widerruf bestätigen",
  lowestPrice: "Niedrigster Preis der 30 Tage vor der Ermäßigung",
};

const zh: EuWords = {
  orderButton: "提交订单并承担付款义务",
  digitalContent: "我明确同意在撤回期届满之前向我提供数字内容，并知悉我将因此失去撤回权。",
  terms: "我已阅读并同意交易条款。",
  withdraw: "在此撤回合同",
  confirmWithdrawal: "确认撤回",
  lowestPrice: "降价前30天内的最低价",
};

/** The words by language. */
export const euWords = { en, de, zh } as const;

/** The words of a language: "de-AT" gets German, an unknown one English. */
export function findEuWords(language: string): EuWords {
  const base = language.split("-")[0]?.toLowerCase() ?? "";
  return base === "de" ? de : base === "zh" ? zh : en;
}
