/** The columns of files with reviews. */
import { createColumns } from "../columns.ts";

const reviewFields = [
  "product",
  "productId",
  "productName",
  "stars",
  "title",
  "text",
  "author",
  "email",
  "createdAt",
  "state",
  "answer",
  "answeredAt",
  "pictures",
] as const;
export type ReviewField = (typeof reviewFields)[number];

/** Headers of Judge.me, Loox, Shopify's former app and plugins of WooCommerce, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<ReviewField, string>> = {
  product:
    "product handle|handle|product|product slug|product sku|sku|produkt|artikelnummer|produit|producto|prodotto|produto|商品|商品编号",
  productId: "product id|comment post id|post id",
  productName: "product title|product name|produktname|nom du produit|nombre del producto|商品名称",
  stars:
    "rating|stars|star rating|score|review score|bewertung|sterne|note|étoiles|puntuación|estrellas|valutazione|stelle|beoordeling|sterren|avaliação|ocena|评分|星级|評価",
  title:
    "title|review title|headline|comment title|titel|überschrift|titre|título|titolo|tytuł|标题|タイトル",
  text: "body|review|review body|review text|review content|content|comment|comment content|text|message|bewertungstext|avis|commentaire|comentario|opinión|recensione|commento|recensie|comentário|opinia|评价|评价内容|内容|レビュー",
  author:
    "reviewer name|author|reviewer|name|customer name|comment author|nickname|display name|autor|auteur|nombre|autore|naam|姓名|昵称|作者|名前",
  email:
    "reviewer email|email|e mail|author email|customer email|comment author email|e mail adresse|courriel|correo|邮箱|メールアドレス",
  createdAt:
    "review date|date|created at|date created|datecreated|comment date|submitted at|datum|erstellt am|date de l avis|fecha|data|日期|评价时间|日付",
  state:
    "state|status|curated|published|approved|comment approved|review status|zustand|statut|estado|stato|状态",
  answer:
    "reply|answer|response|shop reply|reply content|antwort|réponse|respuesta|risposta|antwoord|odpowiedź|回复|返信",
  answeredAt: "reply date|replied at|answered at|response date|antwort am|回复时间",
  pictures:
    "picture urls|photo url|photo urls|image urls|images|photos|pictures|review photo url|bilder|图片",
};

export const reviewColumns = createColumns<ReviewField>({
  fields: reviewFields,
  words,
  differing: { shopify: { location: "" }, woocommerce: { "product id": "productId" } },
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    // Judge.me, Loox, and the app of Shopify write handles of Shopify's products.
    if (has("product handle", "rating")) return "shopify";
    if (has("comment content") || has("comment post id")) return "woocommerce";
    return undefined;
  },
});
