/** A shop that sells a licence key, a file and a T-shirt, with shipping, VAT and a coupon, as a program of its own. */
import assert from "node:assert/strict";
import { z } from "zod";
import { findFreePorts } from "../../support/free-ports.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../../support/smtp-peer.ts";
import { createEpayGateway } from "../../shop/payments/gateways/epay.ts";
import { createStripeGateway } from "../../shop/payments/gateways/stripe.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { type CashDesk, startCashDesk } from "./cash-desk.ts";

export interface SellingShop {
  readonly url: string;
  readonly smtp: SmtpPeer;
  readonly programs: Programs;
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Stripe, and Epay. */
  readonly desks: Readonly<Record<"stripe" | "epay", CashDesk>>;
  dispose(): Promise<void>;
}

/** What a buyer reads. */
export const goods = { key: "Trivet licence", file: "Field guide", shirt: "Linen T-shirt" } as const;
export const keysOnSale = ["AAAA-0001", "AAAA-0002", "AAAA-0003", "AAAA-0004", "AAAA-0005", "AAAA-0006"];
/** Ten per cent. */
export const COUPON = "WELCOME10";

const site = {
  name: "Harbour Goods",
  languages: ["en", "de", "zh"],
  contact: { email: "owner@example.org" },
  seller: {
    name: "Harbour Goods GmbH",
    line1: "Gasse 1",
    postalCode: "10115",
    city: "Berlin",
    country: "DE",
    vatId: "DE123456788",
    email: "owner@example.org",
  },
  tax: { enabled: true, destination: "buyer" },
  invoices: { enabled: true },
  shipping: {
    methods: [
      {
        id: "parcel",
        title: "Parcel",
        by: "weight",
        countries: ["DE", "AT", "FR"],
        steps: [{ from: 0, price: 490 }],
      },
    ],
  },
  eu: { mode: "auto" },
};

type Admin = SellingShop["admin"];

const made = z.object({ id: z.string() });

async function addGoods(admin: Admin, url: string): Promise<void> {
  const key = made.parse(
    await admin("POST", "/api/admin/products", {
      title: goods.key,
      price: 1_999,
      deliveryType: "auto_secret",
      status: "published",
      slug: "licence",
      summary: "For one year",
    }),
  );
  await admin("POST", `/api/admin/products/${key.id}/secrets`, keysOnSale);
  const file = made.parse(
    await admin("POST", "/api/admin/products", {
      title: goods.file,
      price: 900,
      deliveryType: "files",
      status: "published",
      slug: "guide",
    }),
  );
  const bytes = new TextEncoder().encode("All birds of the harbour\n");
  const upload = made.parse(
    await admin("POST", `/api/admin/products/${file.id}/uploads`, {
      fileName: "guide.txt",
      sizeBytes: bytes.length,
    }),
  );
  const sent = await fetch(`${url}/api/admin/uploads/${upload.id}`, {
    method: "PUT",
    headers: { "x-admin-token": ADMIN_TOKEN },
    body: bytes,
  });
  assert.ok(sent.ok, await sent.text());
  await admin("POST", `/api/admin/products/${file.id}/files`, { uploadId: upload.id, label: "1.0" });
  const variant = (size: string) => ({ options: { Size: size }, price: 3_200, onHand: 50 });
  await admin("POST", "/api/admin/products", {
    title: goods.shirt,
    price: 3_200,
    deliveryType: "shipping",
    status: "published",
    slug: "shirt",
    weightGrams: 220,
    variants: [variant("S"), variant("M"), variant("L")],
  });
}

interface SetUp extends Pick<SellingShop, "admin" | "url" | "desks"> {
  readonly currency: string;
}

async function setUp({ admin, url, desks, currency }: SetUp): Promise<void> {
  await admin("PATCH", "/api/admin/site", { ...site, currency });
  await addGoods(admin, url);
  await admin("POST", "/api/admin/coupons", { code: COUPON, kind: "percent", value: 1_000 });
  await admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
  for (const [word, { gateway }] of Object.entries(desks))
    await admin("PUT", `/api/admin/site/providers/${word}`, {
      title: word === "stripe" ? "Card" : "Epay",
      kind: gateway.kind,
      options: gateway.options,
      credentials: gateway.credentials,
    });
}

/** Starts it with a mail server, and a cash desk for each service: Stripe takes euros, Epay takes yuan. */
export async function startSellingShop({ currency = "EUR" } = {}): Promise<SellingShop> {
  const [programs, smtp] = await Promise.all([createPrograms(["shop", "auth"]), startSmtpPeer()]);
  const sender = `smtp://127.0.0.1:${smtp.port}?from=shop@example.org`;
  // Both know each other's address, and mails lead to the shop's.
  const [shop, auth] = await findFreePorts(2);
  const url = `http://127.0.0.1:${shop}`;
  const places = { SHOP_PORT: String(shop), AUTH_PORT: String(auth), SHOP_PUBLIC_URL: url };
  const env = { LOG_LEVEL: "warn", ADMIN_TOKEN, SMTP_URL: sender, NOTIFY_PRIVATE: "1" };
  await programs.shopUrl(programs.run({ ...env, ...places }));
  const admin: Admin = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const desks = {
    stripe: await startCashDesk(createStripeGateway, { word: "stripe", shopUrl: url }),
    epay: await startCashDesk(createEpayGateway, { word: "epay", shopUrl: url }),
  };
  await setUp({ admin, url, desks, currency });
  return {
    url,
    smtp,
    programs,
    admin,
    desks,
    dispose: async () => {
      await programs.dispose();
      await smtp.close();
      for (const desk of Object.values(desks)) await desk.close();
    },
  };
}
