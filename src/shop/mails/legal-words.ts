/**
 * What mails about a contract say by law: the instructions and the form of Annex I to Directive 2011/83/EU (as
 * amended by Directive (EU) 2023/2673) and the words around them. Languages without their own get English.
 */

const en = {
  seller: "Seller",
  vatId: "VAT number",
  agreed: "You agreed on {time}",
  waived: "So your right of withdrawal for this digital content ends when it is handed over to you.",
  terms: "Terms",
  withdrawal: "Right of withdrawal",
  form: "Model withdrawal form",
  instructions: `You have the right to withdraw from this contract within {days} days without giving any reason.

The withdrawal period will expire after {days} days from the day on which you acquire, or a third party other than the carrier and indicated by you acquires, physical possession of the last of the goods; for digital content and services, from the day on which they are handed over.

To exercise the right of withdrawal, you must inform us ({trader}) of your decision to withdraw from this contract by an unequivocal statement (e.g. a letter sent by post or e-mail). You may use the model withdrawal form below, but it is not obligatory.{online}

To meet the withdrawal deadline, it is sufficient for you to send your communication concerning your exercise of the right of withdrawal before the withdrawal period has expired.

If you withdraw from this contract, we shall reimburse to you all payments received from you, including the costs of delivery (with the exception of the supplementary costs resulting from your choice of a type of delivery other than the least expensive type of standard delivery offered by us), without undue delay and in any event not later than 14 days from the day on which we are informed about your decision to withdraw from this contract. We will carry out such reimbursement using the same means of payment as you used for the initial transaction, unless you have expressly agreed otherwise; in any event, you will not incur any fees as a result of such reimbursement.

We may withhold reimbursement until we have received the goods back or you have supplied evidence of having sent back the goods, whichever is the earliest. You shall send back the goods or hand them over to us without undue delay and in any event not later than 14 days from the day on which you communicate your withdrawal from this contract to us. You will have to bear the direct cost of returning the goods. You are only liable for any diminished value of the goods resulting from the handling other than what is necessary to establish the nature, characteristics and functioning of the goods.`,
  online: ` You can also withdraw online at {url}; we will then send you an acknowledgement of receipt with its content and its date and time by e-mail without undue delay.`,
  formBody: `(complete and return this form only if you wish to withdraw from the contract)

- To {trader}:
- I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract of sale of the following goods (*)/for the provision of the following service (*)
- Ordered on (*)/received on (*)
- Order number: {number}
- Name of consumer(s)
- Address of consumer(s)
- Signature of consumer(s) (only if this form is notified on paper)
- Date

(*) Delete as appropriate.`,
};
/** Words of the law for mails. */
export type LegalWords = typeof en;

const de: LegalWords = {
  seller: "Verkäufer",
  vatId: "USt-IdNr.",
  agreed: "Sie haben am {time} erklärt",
  waived:
    "Damit erlischt Ihr Widerrufsrecht für diese digitalen Inhalte, sobald sie Ihnen bereitgestellt werden.",
  terms: "Geschäftsbedingungen",
  withdrawal: "Widerrufsbelehrung",
  form: "Muster-Widerrufsformular",
  instructions: `Sie haben das Recht, binnen {days} Tagen ohne Angabe von Gründen diesen Vertrag zu widerrufen.

Die Widerrufsfrist beträgt {days} Tage ab dem Tag, an dem Sie oder ein von Ihnen benannter Dritter, der nicht der Beförderer ist, die letzte Ware in Besitz genommen haben bzw. hat; bei digitalen Inhalten und Dienstleistungen ab dem Tag, an dem sie bereitgestellt werden.

Um Ihr Widerrufsrecht auszuüben, müssen Sie uns ({trader}) mittels einer eindeutigen Erklärung (z. B. ein mit der Post versandter Brief oder eine E-Mail) über Ihren Entschluss, diesen Vertrag zu widerrufen, informieren. Sie können dafür das untenstehende Muster-Widerrufsformular verwenden, das jedoch nicht vorgeschrieben ist.{online}

Zur Wahrung der Widerrufsfrist reicht es aus, dass Sie die Mitteilung über die Ausübung des Widerrufsrechts vor Ablauf der Widerrufsfrist absenden.

Wenn Sie diesen Vertrag widerrufen, haben wir Ihnen alle Zahlungen, die wir von Ihnen erhalten haben, einschließlich der Lieferkosten (mit Ausnahme der zusätzlichen Kosten, die sich daraus ergeben, dass Sie eine andere Art der Lieferung als die von uns angebotene, günstigste Standardlieferung gewählt haben), unverzüglich und spätestens binnen 14 Tagen ab dem Tag zurückzuzahlen, an dem die Mitteilung über Ihren Widerruf dieses Vertrags bei uns eingegangen ist. Für diese Rückzahlung verwenden wir dasselbe Zahlungsmittel, das Sie bei der ursprünglichen Transaktion eingesetzt haben, es sei denn, mit Ihnen wurde ausdrücklich etwas anderes vereinbart; in keinem Fall werden Ihnen wegen dieser Rückzahlung Entgelte berechnet.

Wir können die Rückzahlung verweigern, bis wir die Waren wieder zurückerhalten haben oder bis Sie den Nachweis erbracht haben, dass Sie die Waren zurückgesandt haben, je nachdem, welches der frühere Zeitpunkt ist. Sie haben die Waren unverzüglich und in jedem Fall spätestens binnen 14 Tagen ab dem Tag, an dem Sie uns über den Widerruf dieses Vertrags unterrichten, an uns zurückzusenden oder zu übergeben. Sie tragen die unmittelbaren Kosten der Rücksendung der Waren. Sie müssen für einen etwaigen Wertverlust der Waren nur aufkommen, wenn dieser Wertverlust auf einen zur Prüfung der Beschaffenheit, Eigenschaften und Funktionsweise der Waren nicht notwendigen Umgang mit ihnen zurückzuführen ist.`,
  online: ` Sie können auch online widerrufen: {url}. Wir senden Ihnen dann unverzüglich per E-Mail eine Eingangsbestätigung mit dem Inhalt sowie dem Datum und der Uhrzeit Ihres Widerrufs.`,
  formBody: `(Wenn Sie den Vertrag widerrufen wollen, dann füllen Sie bitte dieses Formular aus und senden Sie es zurück.)

- An {trader}:
- Hiermit widerrufe(n) ich/wir (*) den von mir/uns (*) abgeschlossenen Vertrag über den Kauf der folgenden Waren (*)/die Erbringung der folgenden Dienstleistung (*)
- Bestellt am (*)/erhalten am (*)
- Bestellnummer: {number}
- Name des/der Verbraucher(s)
- Anschrift des/der Verbraucher(s)
- Unterschrift des/der Verbraucher(s) (nur bei Mitteilung auf Papier)
- Datum

(*) Unzutreffendes streichen.`,
};

const zh: LegalWords = {
  seller: "卖方",
  vatId: "增值税号",
  agreed: "您于 {time} 声明",
  waived: "因此，在数字内容提供给您之时，您对其的撤回权即告终止。",
  terms: "交易条款",
  withdrawal: "撤回权说明",
  form: "撤回声明范本",
  instructions: `您有权在 {days} 天内撤回本合同，且无需说明理由。

撤回期自您或您指定的第三方（承运人除外）实际收到最后一件商品之日起 {days} 天届满；对于数字内容和服务，自其提供之日起计算。

行使撤回权时，您须以明确的声明（例如邮寄信件或电子邮件）将撤回本合同的决定告知我们（{trader}）。您可以使用下附的撤回声明范本，但并非必须使用。{online}

您只需在撤回期届满之前发出行使撤回权的通知，即视为遵守了期限。

如您撤回本合同，我们将退还从您处收到的全部款项，包括运费（因您选择了非我们所提供的最便宜标准配送方式而产生的额外费用除外），不得无故拖延，且最迟于我们获知您撤回本合同的决定之日起 14 天内退还。除非与您另有明确约定，退款将使用您在原交易中所用的同一支付方式；在任何情况下，您都不会因退款而承担任何费用。

在我们收到退回的商品或您提供已寄回商品的证明之前（以较早者为准），我们可以暂不退款。您应不无故拖延地将商品寄回或交还给我们，最迟不得晚于您通知我们撤回本合同之日起 14 天。退回商品的直接费用由您承担。仅当商品价值的减损源于超出确认商品性质、特征和功能所必需的处理时，您才须对此负责。`,
  online: `您也可以在 {url} 在线撤回；届时我们会立即通过电子邮件向您发送回执，其中载明撤回的内容及其日期和时间。`,
  formBody: `（仅在您希望撤回合同时填写并寄回本表）

- 致 {trader}：
- 我/我们(*)特此通知，我/我们(*)撤回关于购买下列商品(*)/提供下列服务(*)的合同
- 订购日期(*)/收到日期(*)
- 订单号：{number}
- 消费者姓名
- 消费者地址
- 消费者签名（仅限纸质通知）
- 日期

(*) 请划去不适用者。`,
};

/** The words of a language: "de-AT" gets German, an unknown one English. */
export function findLegalWords(language: string): LegalWords {
  const base = language.split("-")[0]?.toLowerCase() ?? "";
  return base === "de" ? de : base === "zh" ? zh : en;
}
