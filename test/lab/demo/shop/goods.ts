/** What the demo's shop sells: four categories with six products each, in three languages. Prices in euro cents with VAT. */
import type { PaintName, Shape } from "./pictures.ts";

/** English, German, Chinese. */
export type Words = readonly [en: string, de: string, zh: string];

export interface Good {
  readonly slug: string;
  readonly title: Words;
  readonly summary: Words;
  readonly price: number;
  readonly shape: Shape;
  /** The first is the product's; with colors among the options each has a picture. */
  readonly paint: readonly PaintName[];
  readonly weightGrams?: number;
  readonly onHand?: number;
  readonly compareAtPrice?: number;
  /** Option and its values; two of them make every combination. */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  readonly more?: Readonly<Record<string, unknown>>;
  /** How many licence keys are made up for it. */
  readonly keys?: number;
  /** Name and text of the file that buyers get. */
  readonly file?: readonly [name: string, text: string];
}

export interface Shelf {
  readonly id: string;
  readonly title: Words;
  readonly goods: readonly Good[];
}

const sizes = ["S", "M", "L", "XL"];
const files = { deliveryType: "files", stockMode: "unlimited" };
const food = { taxClass: "reduced", excludedFromWithdrawal: true };

const clothes: readonly Good[] = [
  {
    slug: "harbour-t-shirt",
    price: 2_490,
    shape: "shirt",
    paint: ["navy", "sand", "forest"],
    weightGrams: 180,
    title: ["Harbour T-shirt", "Hafen-T-Shirt", "海港 T 恤"],
    summary: [
      "Heavy organic cotton, cut straight.",
      "Feste Bio-Baumwolle, gerade geschnitten.",
      "厚实有机棉，直筒剪裁。",
    ],
    onHand: 14,
    options: { Color: ["Navy", "Sand", "Forest"], Size: sizes },
  },
  {
    slug: "pine-hoodie",
    price: 5_900,
    shape: "hoodie",
    paint: ["forest", "slate"],
    weightGrams: 620,
    title: ["Pine hoodie", "Kapuzenpullover Kiefer", "松林连帽衫"],
    summary: [
      "Brushed inside, with a pocket for both hands.",
      "Innen aufgeraut, mit Tasche für beide Hände.",
      "内里拉绒，前置大口袋。",
    ],
    onHand: 6,
    compareAtPrice: 6_900,
    options: { Color: ["Forest", "Slate"], Size: ["S", "M", "L"] },
  },
  {
    slug: "wool-beanie",
    price: 2_900,
    shape: "beanie",
    paint: ["brick"],
    weightGrams: 90,
    onHand: 25,
    title: ["Wool beanie", "Wollmütze", "羊毛帽"],
    summary: [
      "Knitted from merino in one piece.",
      "Aus Merino in einem Stück gestrickt.",
      "美利奴羊毛一体编织。",
    ],
  },
  {
    slug: "canvas-tote",
    price: 1_690,
    shape: "bag",
    paint: ["sand"],
    weightGrams: 210,
    onHand: 60,
    title: ["Canvas tote", "Stofftasche", "帆布袋"],
    summary: [
      "Carries twelve kilograms, folds flat.",
      "Trägt zwölf Kilogramm, lässt sich falten.",
      "承重十二公斤，可折叠。",
    ],
  },
  {
    slug: "striped-socks",
    price: 1_190,
    shape: "socks",
    paint: ["navy"],
    weightGrams: 70,
    title: ["Striped socks", "Geringelte Socken", "条纹袜"],
    summary: ["Cotton, two sizes.", "Baumwolle, zwei Größen.", "棉质，两种尺码。"],
    onHand: 40,
    options: { Size: ["36–40", "41–46"] },
  },
  {
    slug: "rain-cape",
    price: 7_900,
    shape: "cape",
    paint: ["honey"],
    weightGrams: 480,
    onHand: 3,
    title: ["Rain cape", "Regenumhang", "雨披"],
    summary: ["Keeps rider and basket dry.", "Hält Mensch und Korb trocken.", "人和车篮都不淋湿。"],
  },
];

const kitchen: readonly Good[] = [
  {
    slug: "stoneware-mug",
    price: 1_450,
    shape: "mug",
    paint: ["slate", "brick", "sand"],
    weightGrams: 380,
    title: ["Stoneware mug", "Steinzeugbecher", "粗陶杯"],
    summary: [
      "Thrown by hand, 300 ml, no two alike.",
      "Von Hand gedreht, 300 ml, keiner wie der andere.",
      "手工拉坯，300 毫升，各不相同。",
    ],
    onHand: 18,
    options: { Color: ["Slate", "Brick", "Sand"] },
  },
  {
    slug: "linen-tea-towel",
    price: 1_290,
    shape: "towel",
    paint: ["navy"],
    weightGrams: 110,
    onHand: 48,
    title: ["Linen tea towel", "Geschirrtuch aus Leinen", "亚麻茶巾"],
    summary: [
      "50 × 70 cm, dries glasses without lint.",
      "50 × 70 cm, trocknet Gläser fusselfrei.",
      "50 × 70 厘米，擦杯不掉毛。",
    ],
  },
  {
    slug: "olive-board",
    price: 3_490,
    shape: "board",
    paint: ["sand"],
    weightGrams: 900,
    onHand: 9,
    title: ["Olive wood board", "Brett aus Olivenholz", "橄榄木砧板"],
    summary: ["Oiled, 38 cm long.", "Geölt, 38 cm lang.", "上油处理，长 38 厘米。"],
  },
  {
    slug: "enamel-pot",
    price: 4_900,
    shape: "pot",
    paint: ["brick"],
    weightGrams: 1_900,
    onHand: 0,
    title: ["Enamel pot", "Emailletopf", "搪瓷锅"],
    summary: [
      "Four litres, for every stove. Sold out just now.",
      "Vier Liter, für jeden Herd. Zurzeit ausverkauft.",
      "四升，适用各种炉灶。暂时售罄。",
    ],
  },
  {
    slug: "heather-honey",
    price: 790,
    shape: "jar",
    paint: ["honey"],
    weightGrams: 720,
    onHand: 36,
    more: food,
    title: ["Heather honey", "Heidehonig", "石楠蜂蜜"],
    summary: ["500 g from two villages.", "500 g aus zwei Dörfern.", "500 克，产自两个村庄。"],
  },
  {
    slug: "evening-tea",
    price: 990,
    shape: "tin",
    paint: ["forest"],
    weightGrams: 160,
    onHand: 30,
    more: food,
    title: ["Evening tea", "Abendtee", "晚安花草茶"],
    summary: ["Loose herbs in a tin, 80 g.", "Lose Kräuter in der Dose, 80 g.", "罐装散叶花草，80 克。"],
  },
];

const desk: readonly Good[] = [
  {
    slug: "notebook-a5",
    price: 1_250,
    shape: "book",
    paint: ["brick"],
    weightGrams: 260,
    title: ["Notebook A5", "Notizbuch A5", "A5 笔记本"],
    summary: ["192 pages that lie flat.", "192 Seiten, die flach liegen.", "192 页，可完全摊平。"],
    onHand: 22,
    options: { Ruling: ["Dotted", "Lined", "Plain"] },
  },
  {
    slug: "brass-pen",
    price: 3_900,
    shape: "pen",
    paint: ["honey"],
    weightGrams: 55,
    onHand: 12,
    title: ["Brass pen", "Messingstift", "黄铜笔"],
    summary: [
      "Turned from one rod; takes common refills.",
      "Aus einem Stab gedreht; für übliche Minen.",
      "整根黄铜车制，通用笔芯。",
    ],
    more: {
      inputs: [{ key: "engraving", label: "Engraving", kind: "text", required: false, maxLength: 20 }],
    },
  },
  {
    slug: "desk-lamp",
    price: 8_900,
    shape: "lamp",
    paint: ["forest"],
    weightGrams: 2_400,
    onHand: 4,
    title: ["Desk lamp", "Schreibtischlampe", "台灯"],
    summary: [
      "Warm light, a switch that clicks.",
      "Warmes Licht, ein Schalter, der klickt.",
      "暖光，按键手感清脆。",
    ],
  },
  {
    slug: "wall-calendar",
    price: 1_890,
    shape: "calendar",
    paint: ["navy"],
    weightGrams: 300,
    onHand: 35,
    title: ["Wall calendar", "Wandkalender", "挂历"],
    summary: ["Twelve harbours, one a month.", "Zwölf Häfen, jeden Monat einer.", "十二个港口，每月一景。"],
    compareAtPrice: 2_290,
  },
  {
    slug: "pencil-set",
    price: 890,
    shape: "pencils",
    paint: ["brick"],
    weightGrams: 60,
    onHand: 80,
    title: ["Set of five pencils", "Fünf Bleistifte", "五支装铅笔"],
    summary: ["Cedar, from 2H to 2B.", "Zedernholz, von 2H bis 2B.", "雪松木，2H 至 2B。"],
  },
  {
    slug: "harbour-postcards",
    price: 690,
    shape: "cards",
    paint: ["navy"],
    weightGrams: 40,
    onHand: 100,
    title: ["Harbour postcards", "Postkarten vom Hafen", "海港明信片"],
    summary: ["Eight of them.", "Acht Stück.", "八张一套。"],
  },
];

const digital: readonly Good[] = [
  {
    slug: "fieldnotes",
    price: 2_900,
    shape: "window",
    paint: ["navy"],
    keys: 20,
    title: ["Fieldnotes", "Fieldnotes", "Fieldnotes 笔记软件"],
    summary: [
      "Notes for people who work outside. One licence, three devices.",
      "Notizen für draußen. Eine Lizenz, drei Geräte.",
      "户外工作者的笔记软件，一份许可三台设备。",
    ],
  },
  {
    slug: "fieldnotes-pro",
    price: 5_900,
    shape: "key",
    paint: ["slate"],
    title: ["Fieldnotes Pro", "Fieldnotes Pro", "Fieldnotes 专业版"],
    summary: ["With maps and teams.", "Mit Karten und Teams.", "含地图与团队功能。"],
    keys: 5,
    options: { Term: ["1 year", "Lifetime"] },
  },
  {
    slug: "icon-set",
    price: 1_900,
    shape: "icons",
    paint: ["brick"],
    more: files,
    title: ["Icon set", "Symbole", "图标集"],
    summary: ["Some plain icons as SVG.", "Schlichte Symbole als SVG.", "简洁的 SVG 图标。"],
    file: [
      "icons.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>',
    ],
  },
  {
    slug: "coast-charts",
    price: 1_490,
    shape: "chart",
    paint: ["forest"],
    more: files,
    title: ["Coast charts", "Küstenkarten", "海岸图"],
    summary: [
      "Soundings of a coast that nobody has found yet.",
      "Tiefen einer Küste, die noch niemand fand.",
      "一片无人到过的海岸的水深图。",
    ],
    file: ["coast.csv", "place,depth\nNorth Rock,12\nOld Quay,7\n"],
  },
  {
    slug: "support-hour",
    price: 9_000,
    shape: "talk",
    paint: ["slate"],
    title: ["An hour of help", "Eine Stunde Hilfe", "一小时技术支持"],
    summary: [
      "We look at your set-up together.",
      "Wir sehen uns Ihre Einrichtung gemeinsam an.",
      "一起检查您的配置。",
    ],
    more: { deliveryType: "manual", stockMode: "unlimited" },
  },
  {
    slug: "wallpapers",
    price: 0,
    shape: "scene",
    paint: ["navy"],
    more: files,
    title: ["Wallpapers", "Hintergrundbilder", "壁纸"],
    summary: ["For nothing, as long as you like.", "Kostenlos, solange Sie mögen.", "免费，永久使用。"],
    file: [
      "wallpaper.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#2f4a6d"/></svg>',
    ],
  },
];

export const shelves: readonly Shelf[] = [
  { id: "clothes", title: ["Clothes", "Kleidung", "服饰"], goods: clothes },
  { id: "kitchen", title: ["Kitchen", "Küche", "厨房"], goods: kitchen },
  { id: "desk", title: ["Desk", "Schreibtisch", "书桌"], goods: desk },
  { id: "digital", title: ["Software and files", "Software und Dateien", "软件与文件"], goods: digital },
];
