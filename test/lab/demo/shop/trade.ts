/** What the demo's customers buy, and how far the seller is with it. */
import type { Api } from "./api.ts";
import type { Stocked } from "./stock-up.ts";

/** What a buyer does on the page of the demo payment. */
const demoActions = ["pay", "pay_less", "pay_more", "fail"] as const;
type DemoAction = (typeof demoActions)[number];

/** What happens to an order after it was placed, one after the other. */
type Step = DemoAction | Move;
type Move =
  | "transfer"
  | "cancel"
  | "ship"
  | "receive"
  | "half_back"
  | "all_back"
  | "call_off"
  | "withdraw"
  | "claim"
  | "note";

function isDemoAction(step: Step): step is DemoAction {
  return demoActions.some((action) => action === step);
}

interface Customer {
  readonly email: string;
  readonly language: string;
  readonly address: Readonly<Record<"name" | "line1" | "postalCode" | "city" | "country", string>>;
}

const customer = (
  language: string,
  email: string,
  [name, line1, postalCode, city, country]: readonly [string, string, string, string, string],
): Customer => ({
  email: `${email}@example.org`,
  language,
  address: { name, line1, postalCode, city, country },
});

const ann = customer("de", "ann", ["Ann Becker", "Lindenstraße 4", "10969", "Berlin", "DE"]);
const jonas = customer("de", "jonas", ["Jonas Huber", "Ring 12", "1010", "Wien", "AT"]);
const marie = customer("en", "marie", ["Marie Dupont", "Rue du Port 3", "29200", "Brest", "FR"]);
const tom = customer("en", "tom", ["Tom O’Neill", "Quay Street 9", "H91 C1X2", "Galway", "IE"]);
const wei = customer("zh", "wei", ["李伟", "中山路 18 号", "200001", "上海", "CN"]);
const sofia = customer("en", "sofia", ["Sofia Rossi", "Via Roma 22", "16121", "Genova", "IT"]);
const noor = customer("en", "noor", ["Noor Bakker", "Havenweg 5", "3011", "Rotterdam", "NL"]);

interface Plan {
  readonly by: Customer;
  /** Address, place of the variant and quantity. */
  readonly items: readonly (readonly [slug: string, quantity: number, variant?: number])[];
  readonly steps: readonly Step[];
  readonly coupon?: string;
  readonly note?: string;
}

/** The oldest first. */
const plans: readonly Plan[] = [
  {
    by: ann,
    items: [
      ["harbour-t-shirt", 2, 1],
      ["stoneware-mug", 1, 0],
    ],
    steps: ["pay", "ship", "receive"],
  },
  { by: wei, items: [["fieldnotes", 1]], steps: ["pay", "receive"] },
  {
    by: marie,
    items: [
      ["linen-tea-towel", 3],
      ["evening-tea", 2],
    ],
    steps: ["transfer", "ship", "receive"],
  },
  {
    by: tom,
    items: [["rain-cape", 1]],
    steps: ["pay", "ship", "half_back"],
    note: "Please leave it at the shop next door.",
  },
  {
    by: jonas,
    items: [
      ["notebook-a5", 4, 0],
      ["brass-pen", 1],
    ],
    steps: ["pay", "ship"],
    coupon: "HARBOUR10",
  },
  {
    by: sofia,
    items: [
      ["icon-set", 1],
      ["coast-charts", 1],
    ],
    steps: ["pay"],
  },
  { by: ann, items: [["pine-hoodie", 1, 2]], steps: ["pay", "ship", "withdraw"] },
  { by: noor, items: [["support-hour", 1]], steps: ["pay", "note"] },
  { by: wei, items: [["fieldnotes-pro", 1, 1]], steps: ["pay"] },
  { by: marie, items: [["desk-lamp", 1]], steps: ["pay", "all_back", "call_off"] },
  { by: tom, items: [["harbour-postcards", 2]], steps: [] },
  { by: jonas, items: [["heather-honey", 6]], steps: ["pay_more"] },
  {
    by: sofia,
    items: [
      ["olive-board", 1],
      ["pencil-set", 2],
    ],
    steps: ["pay_less"],
  },
  { by: noor, items: [["canvas-tote", 2]], steps: ["cancel"] },
  {
    by: ann,
    items: [
      ["wall-calendar", 2],
      ["harbour-postcards", 1],
    ],
    steps: ["transfer"],
    coupon: "HARBOUR10",
  },
  { by: wei, items: [["wool-beanie", 1]], steps: ["pay"] },
  { by: tom, items: [["striped-socks", 3, 1]], steps: ["fail"] },
  { by: marie, items: [["harbour-t-shirt", 1, 8]], steps: ["claim"] },
];

interface Placed {
  readonly order: { readonly id: string; readonly number: string; readonly total: number };
  readonly accessToken: string;
  readonly payment?: { readonly url?: string };
}

interface Bought extends Placed {
  readonly by: Customer;
}

/** Who does something about an order. */
interface Hands {
  readonly api: Api;
  readonly bought: Bought;
  readonly seller: (move: string, json: object) => Promise<unknown>;
  readonly buyer: (move: string, json: object) => Promise<unknown>;
}

const giveBack =
  (share: number, note: string) =>
  ({ seller, bought: { order } }: Hands): Promise<unknown> =>
    seller("refund", {
      amount: Math.floor(order.total * share),
      reference: `Credit, ${order.number}`,
      note,
    });

const moves: Readonly<Record<Move, (hands: Hands) => Promise<unknown>>> = {
  transfer: ({ seller, bought: { order } }) =>
    seller("mark-paid", { reference: `Bank statement, ${order.number}` }),
  ship: ({ seller, bought: { order } }) => {
    const digits = order.number.replaceAll(/\D/gu, "").slice(0, 8);
    return seller("deliver", { shipment: { carrier: "dhl", trackingNumber: `0034043${digits}` } });
  },
  receive: ({ buyer }) => buyer("confirm", { kind: "receipt" }),
  claim: ({ buyer }) => buyer("confirm", { kind: "payment_claim", note: "Transferred this morning." }),
  cancel: ({ buyer }) => buyer("cancel", {}),
  half_back: giveBack(0.5, "A seam was open."),
  all_back: giveBack(1, "Out of stock."),
  call_off: ({ seller }) => seller("cancel", { note: "Out of stock." }),
  note: ({ seller }) => seller("note", { note: "Call on Thursday after ten." }),
  withdraw: async ({ api, bought: { order, by } }) => {
    const json = {
      name: by.address.name,
      orderNumber: order.number,
      email: by.email,
      what: "It is too small.",
      language: by.language,
    };
    const { confirmation } = await api.ask<{ confirmation: string }>("POST", "/api/withdrawals", { json });
    return api.ask("POST", "/api/withdrawals/confirm", { json: { confirmation } });
  },
};

/** One step of an order, as its buyer or the seller does it. */
async function take(api: Api, bought: Bought, step: Step): Promise<void> {
  const { order, accessToken, payment } = bought;
  const { id } = order;
  if (isDemoAction(step)) {
    const token = new URL(payment?.url ?? "", "http://shop").searchParams.get("token") ?? "";
    await api.ask("POST", `/demo-pay/${id}`, { form: { token, action: step } });
    return;
  }
  const headers = { "x-order-token": accessToken };
  await moves[step]({
    api,
    bought,
    seller: (move, json) => api.admin("POST", `/api/admin/orders/${id}/${move}`, { json }),
    buyer: (move, json) => api.ask("POST", `/api/orders/${id}/${move}`, { json, headers }),
  });
}

async function place(api: Api, stocked: Stocked, { by, items, steps, coupon, note }: Plan): Promise<Bought> {
  const json = {
    items: items.map(([slug, quantity, variant]) => {
      const { id: productId = slug, variantIds = [] } = stocked.get(slug) ?? {};
      const variantId = variant === undefined ? undefined : variantIds[variant];
      return { productId, quantity, ...(variantId === undefined ? {} : { variantId }) };
    }),
    contact: { email: by.email },
    language: by.language,
    shippingAddress: by.address,
    consents: { digitalContent: true, terms: true },
    ...(steps.some(isDemoAction) ? { paymentMethod: "demo" } : {}),
    ...(coupon === undefined ? {} : { couponCode: coupon }),
    ...(note === undefined ? {} : { note }),
  };
  return { ...(await api.ask<Placed>("POST", "/api/checkout", { json })), by };
}

/** Lets the customers order; resolves with how many orders there are. */
export async function trade(api: Api, stocked: Stocked): Promise<number> {
  for (const plan of plans) {
    const bought = await place(api, stocked, plan);
    for (const step of plan.steps) await take(api, bought, step);
  }
  return plans.length;
}

/** Two conversations of people who are signed in. */
export async function talk(
  api: Api,
  stocked: Stocked,
  signIn: (name: string) => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const cape = stocked.get("rain-cape")?.id;
  const conversations = [
    {
      name: "lena",
      says: ["Does the rain cape fit over a rucksack?"],
      about: cape,
      answer: "Yes, one of up to 25 litres. The hem has a strap for it.",
    },
    {
      name: "paul",
      says: ["Hello! Do you send to Norway?", "Two mugs, if so."],
      about: undefined,
      answer: undefined,
    },
  ];
  for (const { name, says, about, answer } of conversations) {
    const headers = await signIn(name);
    let id = "";
    for (const body of says) {
      const json = { body, ...(about === undefined ? {} : { productId: about }) };
      const sent = await api.ask<{ conversationId: string }>("POST", "/api/chat/messages", { json, headers });
      id = sent.conversationId;
    }
    if (answer !== undefined)
      await api.admin("POST", `/api/admin/chat/conversations/${id}/messages`, { json: { body: answer } });
  }
}
