/** Realistic products of a shop that sells in four languages, for tests of the search. */
import { Projection } from "../../../src/shop/catalogue/projection.ts";
import { toItem } from "../../../src/shop/catalogue/item.ts";
import { type CatalogueSearch, type SearchResult, search } from "../../../src/shop/catalogue/search.ts";
import { toProduct } from "./products.ts";

/** Title, SKU, summary, and the colors or sizes of its variants. */
type Row = readonly [title: string, sku?: string, summary?: string, options?: readonly string[]];

const rows: readonly Row[] = [
  ["Teapot Kyoto", "TP-100", "Cast iron, 0.8 l"],
  ["Tea pot warmer", "TW-20"],
  ["Red mug", "MUG-R", "Holds 300 ml", ["red"]],
  ["Blue mug", "MUG-B", "Holds 300 ml", ["blue"]],
  ["Set of 4 mugs", "MUG-4", "For the whole family"],
  ["Electric kettle 1.7 l", "KT-17"],
  ["Stainless steel thermos bottle", "TB-500", "Keeps 500 ml hot for 12 hours"],
  ["Water bottle 750ml", "WB-750"],
  ["Wireless headphones", "HP-2001", "Bluetooth 5.3, noise canceling"],
  ["Keyboard with backlight", "KB-87", "Hot-swappable switches"],
  ["T-shirt organic cotton", "TS-01", "", ["S", "M", "XL"]],
  ["Men's running shoes", "SH-42"],
  ["Wi-Fi router AX3000", "RT-3000"],
  ["USB-C charging cable", "UC-2", "2 m, 100 W"],
  ["Chef's knife", "KN-20", "20 cm, forged"],
  ["Bread knives, set of two", "KN-2"],
  ["Strawberry jam", "JAM-1"],
  ["Christmas cookie box", "XM-24"],
  ["Notebook A5, dotted", "NB-A5"],
  ["Bookshelf oak", "BS-180"],
  ["Beginner's guide to watercolour", "BK-9780306406157"],
  ["Umbrella, windproof", "UM-1"],
  ["Ceramic vase", "VA-30"],
  ["Jewelry box walnut", "JB-1"],
  ["Türmatte Kokos", "TM-60"],
  ["Fussmatte für die Kueche", "FM-40"],
  ["Müslischale", "MS-1"],
  ["Gläser für Rotwein, 6 Stück", "GL-6"],
  ["Kaffeetasse weiß", "KA-1", "Fasst 250 ml"],
  ["Teekanne Porzellan", "TK-1"],
  ["Bücherregal Eiche", "BR-1"],
  ["Kühltasche", "KU-15"],
  ["Fahrradschloss", "FS-1"],
  ["Handtuch Set", "HT-3"],
  ["Kerzenständer", "KS-2"],
  ["Blumentopf Terrakotta", "BT-22"],
  ["Schlüsselanhänger", "SA-1"],
  ["Weihnachtskugeln", "WK-12"],
  ["Stuhl Buche", "ST-1"],
  ["Reibe für Käse", "RK-1"],
  ["Crème brûlée bowls", "CB-4"],
  ["青花瓷茶壶", "CN-TP", "景德镇手工制作"],
  ["不锈钢保温杯", "CN-BW"],
  ["蓝色马克杯", "CN-MB"],
  ["无线蓝牙耳机", "CN-BT"],
  ["棉质围巾", "CN-WJ"],
  ["南部鉄器の急須", "JP-KY", "岩手県で作られた鉄瓶"],
  ["コーヒーカップ", "JP-CC"],
  ["ワイヤレスマウス", "JP-WM"],
  ["手ぬぐい 桜", "JP-TN"],
  ["サーバー ガラス", "JP-SV"],
];

/** The shelf, searched as the storefront searches. */
export function createShelf(): (q: string, other?: Partial<CatalogueSearch>) => SearchResult {
  const projection = new Projection();
  rows.forEach(([title, sku = "", summary = "", options = []], at) => {
    const variants = options.map((option) => ({
      id: `p${at}-${option}`,
      sku: `${sku}-${option}`,
      options: { option },
      price: 1_000,
    }));
    const product = { ...toProduct(`p${at}`, { title, sku, summary, variants, sortOrder: at }), version: 1 };
    const stock = { id: product.id, version: 1, productId: product.id, onHand: 5, reserved: 0, sold: 0 };
    const place = projection.placeFor(product.id);
    const none = (): undefined => undefined;
    projection.put(
      toItem({ place, product, stockOf: () => stock, productOf: none, pricesOf: none, views: 0 }),
    );
  });
  const catalogue = {
    list: projection.list.bind(projection),
    search: projection.search.bind(projection),
    tree: () => assertNever(),
  };
  return (q, other = {}) => search(catalogue, { q, isInStock: false, limit: 24, ...other });
}

function assertNever(): never {
  throw new Error("The shelf has no categories");
}
