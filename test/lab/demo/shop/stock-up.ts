/** Puts the demo's goods on sale: settings, categories, products with pictures, keys and files, a coupon, shipping. */
import type { Api } from "./api.ts";
import { type Good, type Words, shelves } from "./goods.ts";
import { drawPicture, paints, type PaintName } from "./pictures.ts";

/** What is on sale, by address. */
export type Stocked = ReadonlyMap<string, { readonly id: string; readonly variantIds: readonly string[] }>;

interface Variant {
  readonly id: string;
  readonly sku: string;
  readonly options: Readonly<Record<string, string>>;
  readonly price: number;
}
interface Made {
  readonly id: string;
  readonly version: number;
  readonly variants: readonly Variant[];
}

const rate = (country: string, taxClass: string, percent: number) => ({
  country,
  taxClass,
  basisPoints: percent * 100,
});

/** Settings for a new shop. */
const site = {
  name: "Harbour & Pine",
  description: "Good things for the house, the desk and the rain. A demonstration: nobody sends anything.",
  currency: "EUR",
  languages: ["en", "de", "zh"],
  timeZone: "Europe/Berlin",
  contact: { email: "hello@example.org" },
  announcement: {
    text: "A demonstration: look around, nothing is really sold.",
    translations: {
      de: "Eine Vorführung: Sehen Sie sich um, verkauft wird nichts.",
      zh: "演示商店：欢迎浏览，不会真实成交。",
    },
    level: "info",
  },
  seller: {
    name: "Harbour & Pine",
    line1: "Kai 7",
    postalCode: "20457",
    city: "Hamburg",
    country: "DE",
    email: "hello@example.org",
    vatId: "DE123456788",
  },
  tax: {
    enabled: true,
    pricesIncludeTax: true,
    rates: [
      rate("DE", "standard", 19),
      rate("DE", "reduced", 7),
      rate("AT", "standard", 20),
      rate("AT", "reduced", 10),
      rate("FR", "standard", 20),
      rate("FR", "reduced", 5.5),
    ],
  },
  invoices: { enabled: true },
};

const translate = ([, de, zh]: Words): Record<"de" | "zh", { title: string }> => ({
  de: { title: de },
  zh: { title: zh },
});

/** Every combination of the options. */
function combine(options: Good["options"] = {}): Record<string, string>[] {
  return Object.entries(options).reduce<Record<string, string>[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function isPaint(name: string | undefined): name is PaintName {
  return name !== undefined && Object.hasOwn(paints, name);
}

class StockUp {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async make(good: Good, place: { categoryId: string; sortOrder: number }): Promise<Made> {
    const { slug, title, summary, price, weightGrams, compareAtPrice, onHand = 0, keys, options } = good;
    const [en, de, zh] = summary;
    const ships = weightGrams !== undefined;
    const variants = options === undefined ? [] : combine(options);
    const own = keys === undefined && ships;
    const made = await this.#api.admin<Made>("POST", "/api/admin/products", {
      json: {
        slug,
        title: title[0],
        summary: en,
        description: en,
        price,
        status: "draft",
        ...place,
        deliveryType: keys !== undefined ? "auto_secret" : "shipping",
        tags: [good.shape],
        ...(ships ? { weightGrams } : {}),
        ...(compareAtPrice === undefined ? {} : { compareAtPrice }),
        translations: {
          de: { title: title[1], summary: de, description: de },
          zh: { title: title[2], summary: zh, description: zh },
        },
        ...(own && variants.length === 0 ? { onHand } : {}),
        variants: variants.map((each, index) => ({
          sku: `${slug}-${index + 1}`.toUpperCase(),
          options: each,
          price,
          ...(own ? { onHand: Math.max(0, onHand - (index % 5)) } : {}),
        })),
        ...good.more,
      },
    });
    await this.#fill(good, made);
    await this.#show(good, made);
    return made;
  }

  /** Keys and files, without which a product of its kind cannot be published. */
  async #fill({ keys, file, slug }: Good, { id, variants }: Made): Promise<void> {
    const stockIds = variants.length === 0 ? [""] : variants.map((variant) => `?variantId=${variant.id}`);
    for (const [place, query] of keys === undefined ? [] : stockIds.entries()) {
      const all = Array.from({ length: keys ?? 0 }, (_, index) =>
        `DEMO-${slug}-${place + 1}-${String(index + 1).padStart(4, "0")}`.toUpperCase(),
      );
      await this.#api.admin("POST", `/api/admin/products/${id}/secrets${query}`, { json: all });
    }
    if (file === undefined) return;
    const [fileName, text] = file;
    const data = new TextEncoder().encode(text);
    const path = `/api/admin/products/${id}`;
    const upload = await this.#api.admin<{ id: string }>("POST", `${path}/uploads`, {
      json: { fileName, sizeBytes: data.byteLength },
    });
    await this.#api.admin("PUT", `/api/admin/uploads/${upload.id}?offset=0`, {
      bytes: { type: "application/octet-stream", data },
    });
    await this.#api.admin("POST", `${path}/files`, { json: { uploadId: upload.id, title: fileName } });
  }

  /** A picture of each color; variants of that color show it. Then the product is published. */
  async #show({ shape, paint, title }: Good, { id }: Made): Promise<void> {
    const path = `/api/admin/products/${id}`;
    const hashes = new Map<string, string>();
    for (const color of paint) {
      const alt = paint.length === 1 ? title[0] : `${title[0]}, ${color}`;
      const data = new Uint8Array(await drawPicture(shape, color));
      const image = await this.#api.admin<{ hash: string }>(
        "POST",
        `${path}/images?alt=${encodeURIComponent(alt)}`,
        { bytes: { type: "image/png", data } },
      );
      hashes.set(color, image.hash);
    }
    const { variants, version } = await this.#api.admin<Made>("GET", path);
    const shown = variants.map(({ id: variantId, sku, options, price }) => {
      const color = options["Color"]?.toLowerCase();
      const imageHash = isPaint(color) ? hashes.get(color) : undefined;
      return { id: variantId, sku, options, price, ...(imageHash === undefined ? {} : { imageHash }) };
    });
    await this.#api.admin("PATCH", path, {
      json: { version, status: "published", ...(shown.length === 0 ? {} : { variants: shown }) },
    });
  }
}

async function addShipping(api: Api): Promise<void> {
  const countries = ["DE", "AT", "FR", "IE", "IT", "NL"];
  const words = (title: string, deliveryTime: string) => ({ title, deliveryTime });
  await api.admin("POST", "/api/admin/shipping-methods", {
    json: {
      ...words("Parcel", "2 to 4 days"),
      translations: { de: words("Paket", "2 bis 4 Tage"), zh: words("包裹", "2 至 4 天") },
      countries,
      by: "weight",
      limit: 20_000,
      freeFrom: 7_500,
      steps: [
        { from: 0, price: 490 },
        { from: 2_000, price: 690 },
        { from: 5_000, price: 990 },
      ],
    },
  });
  await api.admin("POST", "/api/admin/shipping-methods", {
    json: {
      ...words("Air mail", "1 to 3 weeks"),
      translations: { de: words("Luftpost", "1 bis 3 Wochen"), zh: words("航空邮件", "1 至 3 周") },
      excludedCountries: countries,
      by: "weight",
      limit: 5_000,
      steps: [
        { from: 0, price: 1_490 },
        { from: 1_000, price: 2_490 },
      ],
    },
  });
}

/** Sets up an empty shop, or adds to one; resolves with what is on sale. */
export async function stockUp(
  api: Api,
  { isNew, say }: { readonly isNew: boolean; readonly say: (text: string) => void },
): Promise<Stocked> {
  if (isNew) {
    await api.admin("PATCH", "/api/admin/site", { json: site });
    await addShipping(api);
    say(`Settings: "${site.name}", euro, three languages, VAT, invoices, two shipping methods`);
  }
  const shop = new StockUp(api);
  const stocked = new Map<string, { id: string; variantIds: readonly string[] }>();
  for (const [sortOrder, { id: categoryId, title, goods }] of shelves.entries()) {
    await api.admin("POST", "/api/admin/categories", {
      json: { id: categoryId, title: title[0], translations: translate(title), sortOrder },
    });
    for (const [place, good] of goods.entries()) {
      const { id, variants } = await shop.make(good, { categoryId, sortOrder: place });
      stocked.set(good.slug, { id, variantIds: variants.map((variant) => variant.id) });
    }
    say(`${title[0]}: ${goods.length} products with pictures`);
  }
  await api.admin("POST", "/api/admin/coupons", {
    json: { code: "HARBOUR10", kind: "percent", value: 1_000, minimum: 2_000, note: "Demonstration" },
  });
  say("Coupon HARBOUR10: 10 % from 20 €");
  return stocked;
}
