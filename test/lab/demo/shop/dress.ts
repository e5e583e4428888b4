/** The home page of the demonstration: a banner, reasons to trust the shop, a story, and questions. */
import sharp from "sharp";
import type { Api } from "./api.ts";

interface Scene {
  readonly sky: readonly [string, string];
  readonly hills: readonly [string, string];
}

const evening: Scene = { sky: ["#f6d9c3", "#e9a98a"], hills: ["#7f9aa0", "#3d5f66"] };
const meadow: Scene = { sky: ["#cfe3ea", "#eef3f0"], hills: ["#a9c0a6", "#5c7f63"] };

/** A landscape of 2,400 × 1,400. */
function drawScene({ sky, hills }: Scene): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="1400"><defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs><rect width="2400" height="1400" fill="url(#sky)"/><circle cx="1700" cy="420" r="160" fill="#fff" opacity=".7"/><path d="M0 900Q600 600 1200 880T2400 760v640H0z" fill="${hills[0]}"/><path d="M0 1100Q700 860 1400 1100T2400 1000v400H0z" fill="${hills[1]}"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}

async function addScene({ admin }: Api, scene: Scene, alt: string): Promise<object> {
  const data = new Uint8Array(await drawScene(scene));
  const path = `/api/admin/site/pictures?alt=${encodeURIComponent(alt)}`;
  return admin<object>("POST", path, { bytes: { type: "image/jpeg", data } });
}

/** Sets the sections of the home page. */
export async function dressShop(api: Api): Promise<void> {
  const [hero, story] = [
    await addScene(api, evening, "Hills by the harbor in the evening"),
    await addScene(api, meadow, "A meadow above the bay"),
  ];
  const sections = [
    {
      id: "banner",
      type: "hero",
      title: "Made to be used every day",
      text: "Mugs, shirts, and tools from small workshops.",
      button: "Shop new arrivals",
      link: "/products?sort=newest",
      image: hero,
    },
    {
      id: "why",
      type: "columns",
      items: [
        { icon: "truck", title: "Free shipping", text: "For orders over €60" },
        { icon: "return", title: "30 days to return", text: "No questions asked" },
        { icon: "shield", title: "Secure payment", text: "Card, PayPal, or transfer" },
      ],
    },
    { id: "sold", type: "products", show: "sold", limit: 4 },
    {
      id: "story",
      type: "story",
      title: "From a workshop by the sea",
      text: "We started with **one kiln** and a market stall. Today nine people work here, and every piece passes through the same two hands before it is packed.",
      button: "Visit the workshop",
      link: "/products",
      image: story,
      side: "end",
    },
    {
      id: "questions",
      type: "questions",
      title: "Questions and answers",
      items: [
        { question: "How long does shipping take?", answer: "Two to four days in Germany." },
        { question: "Can I return a product?", answer: "Yes, within 30 days." },
      ],
    },
    { id: "all", type: "products", show: "all" },
  ];
  await api.admin("PATCH", "/api/admin/site", { json: { storefront: { sections } } });
}
