/** The words of mails in the languages that the shop knows. */

/** Titles and first sentences by kind of mail, and labels. */
const en = {
  order_placed: ["We have your order", "Thank you. We have received your order."],
  order_paid: ["We have your payment", "Thank you. Your payment has arrived."],
  order_delivered: ["Here is what you ordered", "Your order has been handed over to you."],
  /** In place of order_delivered for an order with goods that are sent. */
  order_shipped: ["Your order is on its way", "Your order has been sent."],
  order_canceled: ["Your order was canceled", "Your order was canceled. Nothing more is to be paid."],
  order_expired: [
    "Your order has expired",
    "Your order was not paid in time and has expired. Nothing more is to be paid; order again if you still want it.",
  ],
  order_refunded: [
    "A refund was recorded",
    "A refund was recorded for this order. When the money arrives depends on how you paid.",
  ],
  order_token: [
    "New access to your order",
    "A new access to this order was asked for. The one in earlier mails does not work any more.",
  ],
  file_version: [
    "There is a new version",
    "A file that you bought has a new version. You find it at your order.",
  ],
  restock: ["Available again", "Something on your wishlist can be bought again."],
  price_drop: ["It costs less now", "The price of something on your wishlist has fallen."],
  order: "Order",
  subtotal: "Subtotal",
  discount: "Discount",
  shipping: "Shipping",
  total: "Total",
  refunded: "Given back",
  payUntil: "To be paid by",
  pay: "Pay now",
  openOrder: "See your order",
  orderToken: "Order token (shows this order without signing in; keep it to yourself)",
  /** Before an address. */
  orderTokenUse: "Give it when you ask the shop about this order. Applications send it as X-Order-Token to",
  shipment: "Shipment",
  track: "Follow the shipment",
  invoice: "Your invoice",
  creditNote: "Your credit note",
  note: "Note",
  file: "File",
  fileVersion: "Version",
  product: "Product",
  price: "Price",
  priceBefore: "Price before",
  unsubscribe:
    "You get this mail because you asked for it on your wishlist. To stop it, switch the notice off there or take the product off the list.",
  /** Before an address, and on the button of its page. */
  unsubscribeLink: "Stop these mails",
  unsubscribed: "You will get no more of these mails.",
  resubscribe: "Send me these mails again",
  cut: "There is more than fits into a mail. You find the rest at your order.",
} satisfies Record<string, string | readonly [title: string, intro: string]>;
export type MailWords = typeof en;

const de: MailWords = {
  order_placed: ["Ihre Bestellung ist eingegangen", "Vielen Dank. Wir haben Ihre Bestellung erhalten."],
  order_paid: ["Ihre Zahlung ist eingegangen", "Vielen Dank. Ihre Zahlung ist bei uns eingegangen."],
  order_delivered: ["Ihre Bestellung ist da", "Ihre Bestellung wurde Ihnen übergeben."],
  order_shipped: ["Ihre Bestellung ist unterwegs", "Ihre Bestellung wurde versandt."],
  order_canceled: [
    "Ihre Bestellung wurde storniert",
    "Ihre Bestellung wurde storniert. Es ist nichts mehr zu zahlen.",
  ],
  order_expired: [
    "Ihre Bestellung ist abgelaufen",
    "Ihre Bestellung wurde nicht rechtzeitig bezahlt und ist abgelaufen. Es ist nichts mehr zu zahlen; bestellen Sie gern noch einmal.",
  ],
  order_refunded: [
    "Eine Erstattung wurde vermerkt",
    "Zu dieser Bestellung wurde eine Erstattung vermerkt. Wann das Geld ankommt, hängt von Ihrer Zahlungsart ab.",
  ],
  order_token: [
    "Neuer Zugang zu Ihrer Bestellung",
    "Für diese Bestellung wurde ein neuer Zugang angefordert. Der Zugang aus früheren Mails gilt nicht mehr.",
  ],
  file_version: [
    "Es gibt eine neue Version",
    "Eine Datei, die Sie gekauft haben, liegt in einer neuen Version vor. Sie finden sie bei Ihrer Bestellung.",
  ],
  restock: ["Wieder erhältlich", "Etwas von Ihrer Wunschliste ist wieder erhältlich."],
  price_drop: ["Jetzt günstiger", "Etwas von Ihrer Wunschliste kostet jetzt weniger."],
  order: "Bestellung",
  subtotal: "Zwischensumme",
  discount: "Rabatt",
  shipping: "Versand",
  total: "Gesamt",
  refunded: "Zurückgezahlt",
  payUntil: "Zu zahlen bis",
  pay: "Jetzt bezahlen",
  openOrder: "Bestellung ansehen",
  orderToken: "Bestellschlüssel (zeigt diese Bestellung ohne Anmeldung; bitte für sich behalten)",
  orderTokenUse:
    "Geben Sie ihn an, wenn Sie den Shop zu dieser Bestellung fragen. Programme senden ihn als X-Order-Token an",
  shipment: "Sendung",
  track: "Sendung verfolgen",
  invoice: "Ihre Rechnung",
  creditNote: "Ihre Rechnungskorrektur",
  note: "Hinweis",
  file: "Datei",
  fileVersion: "Version",
  product: "Artikel",
  price: "Preis",
  priceBefore: "Bisheriger Preis",
  unsubscribe:
    "Sie erhalten diese Mail, weil Sie es auf Ihrer Wunschliste so gewählt haben. Zum Abbestellen schalten Sie die Benachrichtigung dort aus oder nehmen den Artikel von der Liste.",
  unsubscribeLink: "Diese Mails abbestellen",
  unsubscribed: "Sie erhalten diese Mails nicht mehr.",
  resubscribe: "Diese Mails wieder erhalten",
  cut: "Es ist mehr, als in eine Mail passt. Den Rest finden Sie bei Ihrer Bestellung.",
};

const fr: MailWords = {
  order_placed: ["Nous avons bien reçu votre commande", "Merci. Votre commande nous est parvenue."],
  order_paid: ["Nous avons bien reçu votre paiement", "Merci. Votre paiement nous est parvenu."],
  order_delivered: ["Voici votre commande", "Votre commande vous a été remise."],
  order_shipped: ["Votre commande est en route", "Votre commande a été expédiée."],
  order_canceled: [
    "Votre commande a été annulée",
    "Votre commande a été annulée. Il n’y a plus rien à payer.",
  ],
  order_expired: [
    "Votre commande a expiré",
    "Votre commande n’a pas été payée à temps et a expiré. Il n’y a plus rien à payer ; commandez de nouveau si vous le souhaitez.",
  ],
  order_refunded: [
    "Un remboursement a été enregistré",
    "Un remboursement a été enregistré pour cette commande. La date d’arrivée de l’argent dépend de votre moyen de paiement.",
  ],
  order_token: [
    "Nouvel accès à votre commande",
    "Un nouvel accès à cette commande a été demandé. Celui des messages précédents n’est plus valable.",
  ],
  file_version: [
    "Une nouvelle version est disponible",
    "Un fichier que vous avez acheté existe en nouvelle version. Vous le trouvez dans votre commande.",
  ],
  restock: ["De nouveau disponible", "Un article de votre liste de souhaits est de nouveau disponible."],
  price_drop: ["Le prix a baissé", "Le prix d’un article de votre liste de souhaits a baissé."],
  order: "Commande",
  subtotal: "Sous-total",
  discount: "Remise",
  shipping: "Livraison",
  total: "Total",
  refunded: "Remboursé",
  payUntil: "À payer avant le",
  pay: "Payer maintenant",
  openOrder: "Voir votre commande",
  orderToken: "Clé de commande (montre cette commande sans connexion ; gardez-la pour vous)",
  orderTokenUse:
    "Indiquez-la quand vous interrogez la boutique sur cette commande. Les applications l’envoient comme X-Order-Token à",
  shipment: "Envoi",
  track: "Suivre l’envoi",
  invoice: "Votre facture",
  creditNote: "Votre avoir",
  note: "Remarque",
  file: "Fichier",
  fileVersion: "Version",
  product: "Article",
  price: "Prix",
  priceBefore: "Ancien prix",
  unsubscribe:
    "Vous recevez ce message parce que vous l’avez demandé dans votre liste de souhaits. Pour ne plus le recevoir, désactivez l’avis dans la liste ou retirez-en l’article.",
  unsubscribeLink: "Ne plus recevoir ces messages",
  unsubscribed: "Vous ne recevrez plus ces messages.",
  resubscribe: "Recevoir à nouveau ces messages",
  cut: "Le contenu dépasse ce que peut contenir un message. La suite se trouve dans votre commande.",
};

const es: MailWords = {
  order_placed: ["Hemos recibido su pedido", "Gracias. Hemos recibido su pedido."],
  order_paid: ["Hemos recibido su pago", "Gracias. Hemos recibido su pago."],
  order_delivered: ["Aquí tiene su pedido", "Su pedido le ha sido entregado."],
  order_shipped: ["Su pedido está en camino", "Su pedido ha sido enviado."],
  order_canceled: ["Su pedido fue cancelado", "Su pedido fue cancelado. No queda nada por pagar."],
  order_expired: [
    "Su pedido ha caducado",
    "Su pedido no se pagó a tiempo y ha caducado. No queda nada por pagar; puede pedir de nuevo si lo desea.",
  ],
  order_refunded: [
    "Se ha registrado un reembolso",
    "Se ha registrado un reembolso de este pedido. Cuándo llega el dinero depende de cómo pagó.",
  ],
  order_token: [
    "Nuevo acceso a su pedido",
    "Se ha solicitado un nuevo acceso a este pedido. El de los mensajes anteriores ya no es válido.",
  ],
  file_version: [
    "Hay una versión nueva",
    "Un archivo que compró tiene una versión nueva. La encuentra en su pedido.",
  ],
  restock: ["De nuevo disponible", "Un artículo de su lista de deseos vuelve a estar disponible."],
  price_drop: ["Ahora cuesta menos", "El precio de un artículo de su lista de deseos ha bajado."],
  order: "Pedido",
  subtotal: "Subtotal",
  discount: "Descuento",
  shipping: "Envío",
  total: "Total",
  refunded: "Reembolsado",
  payUntil: "A pagar antes del",
  pay: "Pagar ahora",
  openOrder: "Ver su pedido",
  orderToken: "Clave del pedido (muestra este pedido sin iniciar sesión; no la comparta)",
  orderTokenUse:
    "Indíquela cuando pregunte a la tienda por este pedido. Las aplicaciones la envían como X-Order-Token a",
  shipment: "Envío",
  track: "Seguir el envío",
  invoice: "Su factura",
  creditNote: "Su factura rectificativa",
  note: "Nota",
  file: "Archivo",
  fileVersion: "Versión",
  product: "Artículo",
  price: "Precio",
  priceBefore: "Precio anterior",
  unsubscribe:
    "Recibe este mensaje porque lo pidió en su lista de deseos. Para dejar de recibirlo, desactive el aviso en la lista o quite el artículo.",
  unsubscribeLink: "Dejar de recibir estos mensajes",
  unsubscribed: "Ya no recibirá estos mensajes.",
  resubscribe: "Volver a recibir estos mensajes",
  cut: "Hay más de lo que cabe en un mensaje. El resto está en su pedido.",
};

const zh: MailWords = {
  order_placed: ["已收到您的订单", "谢谢，我们已收到您的订单。"],
  order_paid: ["已收到您的付款", "谢谢，您的付款已到账。"],
  order_delivered: ["您的商品已交付", "您订购的商品已交付给您。"],
  order_shipped: ["您的订单已发货", "您的订单已发出。"],
  order_canceled: ["您的订单已取消", "您的订单已取消，无需再付款。"],
  order_expired: ["您的订单已过期", "您的订单未按时付款，已过期，无需再付款。如仍需要，请重新下单。"],
  order_refunded: ["已登记退款", "此订单已登记一笔退款，到账时间取决于您的付款方式。"],
  order_token: ["您的订单有新的访问凭证", "此订单已申请新的访问凭证，先前邮件中的凭证已失效。"],
  file_version: ["有新版本", "您购买的文件有了新版本，请在您的订单中下载。"],
  restock: ["重新有货", "您心愿单中的商品重新有货了。"],
  price_drop: ["降价了", "您心愿单中的商品降价了。"],
  order: "订单",
  subtotal: "小计",
  discount: "优惠",
  shipping: "运费",
  total: "合计",
  refunded: "已退款",
  payUntil: "付款截止时间",
  pay: "立即付款",
  openOrder: "查看订单",
  orderToken: "订单口令（无需登录即可查看此订单，请勿告诉他人）",
  orderTokenUse: "向商店咨询此订单时请提供它。程序以 X-Order-Token 将其发送到",
  shipment: "物流",
  track: "查看物流",
  invoice: "您的发票",
  creditNote: "您的红字发票",
  note: "备注",
  file: "文件",
  fileVersion: "版本",
  product: "商品",
  price: "价格",
  priceBefore: "原价",
  unsubscribe: "您在心愿单中开启了提醒，因此收到此邮件。如需取消，请在心愿单中关闭提醒或移除该商品。",
  unsubscribeLink: "不再接收此类邮件",
  unsubscribed: "您将不再收到此类邮件。",
  resubscribe: "重新接收此类邮件",
  cut: "内容超出邮件长度，其余部分请在订单中查看。",
};

const known: ReadonlyMap<string, MailWords> = new Map(Object.entries({ en, de, fr, es, zh }));

/** The words of a language, and the language that they are in: "de-AT" gets German, an unknown one English. */
export function findMailWords(language: string): { readonly words: MailWords; readonly language: string } {
  const base = language.split("-")[0]?.toLowerCase() ?? "";
  const words = known.get(base);
  return words === undefined ? { words: en, language: "en" } : { words, language };
}
