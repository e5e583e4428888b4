/**
 * Headers as other shops write them today, and what each column becomes. Sources: Gumroad
 * (antiwork/gumroad, app/services/exports), WooCommerce (includes/export), Shopify's help center and files of its users.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Columns } from "../../../src/shop/imports/columns.ts";
import { customerColumns } from "../../../src/shop/imports/customers/columns.ts";
import { keyColumns } from "../../../src/shop/imports/keys/columns.ts";
import { productColumns } from "../../../src/shop/imports/product-columns.ts";
import { createRoom } from "./import-room.ts";

/** "Header=field" of the columns that are known. */
function read<F extends string>(columns: Columns<F>, line: string): { source: string; known: string[] } {
  const headers = line.split(",");
  const fields = columns.map(headers, {});
  return {
    source: columns.findSource(headers),
    known: headers.flatMap((header, index) => {
      const field = fields[index];
      return field === undefined ? [] : [`${header}=${field}`];
    }),
  };
}

/** What is known of a line, divided by "|". */
function assertKnown<F extends string>(
  columns: Columns<F>,
  line: string,
  source: string,
  known: string,
): void {
  assert.deepEqual(read(columns, line), { source, known: known.split("|") });
}

const SHOPIFY_PRODUCTS =
  "Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Option1 Linked To,Option2 name,Option2 value,Option2 Linked To,Option3 name,Option3 value,Option3 Linked To,Price,Compare-at price,Cost per item,Charge tax,Tax code,Unit price total measure,Unit price total measure unit,Unit price base measure,Unit price base measure unit,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Weight unit for display,Requires shipping,Fulfillment service,Product image URL,Image position,Image alt text,Variant image URL,Gift card,SEO title,SEO description,Google Shopping / Google product category";
const SHOPIFY_CUSTOMERS =
  "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags,Accepts WhatsApp Marketing";
const WOO_PRODUCTS =
  "ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Low stock amount,Backorders allowed?,Sold individually?,Weight (kg),Length (cm),Width (cm),Height (cm),Allow customer reviews?,Purchase note,Sale price,Regular price,Categories,Tags,Shipping class,Images,Download limit,Download expiry days,Parent,Grouped products,Upsells,Cross-sells,External URL,Button text,Position,Cost of goods,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global";
const GUMROAD_SALES =
  "Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Do not contact?,Purchase Date,Purchase Time (UTC timezone),Subtotal ($),Taxes ($),Shipping ($),Sale Price ($),Fees ($),Net Total ($),Tip ($),Tax Included in Price?,Street Address,City,Zip Code,State,Country,Referrer,Refunded?,Partial Refund ($),Fully Refunded?,Disputed?,Dispute Won?,Variants,Discount Code,Recurring Charge?,Free trial purchase?,Pre-order authorization?,Product ID,Order Number,Pre-order authorization time (UTC timezone),Custom Fields,Item Price ($),Variants Price ($),Giftee Email,SKU ID,Quantity,Recurrence,Affiliate,Affiliate commission ($),Discover?,Subscription End Date,Rating,Review,License Key,Payment Type,PayPal Transaction ID,PayPal Fee Amount,PayPal Fee Currency,Stripe Transaction ID,Stripe Fee Amount,Stripe Fee Currency,Purchasing Power Parity Discounted?,Upsold?,Sent Abandoned Cart Email?,UTM Source,UTM Medium,UTM Campaign,UTM Term,UTM Content";
const GUMROAD_FOLLOWERS = "Follower Email,Followed Time";

describe("headers of other shops", () => {
  it("of products: Shopify since 2025", () => {
    assertKnown(
      productColumns,
      SHOPIFY_PRODUCTS,
      "shopify",
      "Title=title|URL handle=handle|Description=description|Vendor=vendor|Type=category|Tags=tags|Published on online store=published|Status=status|SKU=sku|Option1 name=option1Name|Option1 value=option1Value|Option2 name=option2Name|Option2 value=option2Value|Option3 name=option3Name|Option3 value=option3Value|Price=price|Compare-at price=compareAtPrice|Charge tax=taxable|Inventory tracker=tracker|Inventory quantity=stock|Weight value (grams)=weight|Requires shipping=shipping|Product image URL=image|Image position=imagePosition|Image alt text=imageAlt|Variant image URL=variantImage",
    );
  });
  it("of products: WooCommerce", () => {
    assertKnown(
      productColumns,
      WOO_PRODUCTS,
      "woocommerce",
      "ID=foreignId|Type=kind|SKU=sku|Name=title|Published=published|Short description=summary|Description=description|Tax status=taxable|In stock?=inStock|Stock=stock|Weight (kg)=weight|Sale price=salePrice|Regular price=price|Categories=category|Tags=tags|Images=image|Parent=parent|Attribute 1 name=option1Name|Attribute 1 value(s)=option1Value",
    );
  });
  it("of products: Gumroad's sales", () => {
    assertKnown(
      productColumns,
      GUMROAD_SALES,
      "gumroad",
      "Item Name=title|Product ID=handle|Item Price ($)=price|SKU ID=sku",
    );
  });
  it("of customers: Shopify, Gumroad's sales and followers", () => {
    assertKnown(
      customerColumns,
      SHOPIFY_CUSTOMERS,
      "shopify",
      "First Name=firstName|Last Name=lastName|Email=email|Accepts Email Marketing=marketing|Default Address Company=company|Default Address Address1=street|Default Address Address2=street2|Default Address City=city|Default Address Province Code=region|Default Address Country Code=countryCode|Default Address Zip=postalCode|Default Address Phone=addressPhone|Phone=phone|Note=note|Tax Exempt=taxExempt|Tags=tags",
    );
    assertKnown(
      customerColumns,
      GUMROAD_SALES,
      "gumroad",
      "Buyer Name=name|Purchase Email=email|Purchase Date=since|Street Address=street|City=city|Zip Code=postalCode|State=region|Country=country",
    );
    assertKnown(
      customerColumns,
      GUMROAD_FOLLOWERS,
      "gumroad",
      "Follower Email=email|Followed Time=consentAt",
    );
  });
  it("of license keys: Gumroad's sales", () => {
    assertKnown(
      keyColumns,
      GUMROAD_SALES,
      "gumroad",
      "Item Name=productName|Buyer Name=name|Purchase Email=email|Purchase Date=since|Fully Refunded?=refunded|Disputed?=disputed|Dispute Won?=disputeWon|Variants=variant|Product ID=product|Subscription End Date=expiresAt|License Key=key",
    );
  });

  it("of Gumroad's sales, whose last row has sums: it is no sale", async () => {
    const headers = GUMROAD_SALES.split(",");
    const row = (cells: Readonly<Record<string, string>>): string =>
      headers.map((header) => cells[header] ?? "").join(",");
    const sale = {
      "Purchase ID": "p1",
      "Item Name": "Pixel Studio",
      "Product ID": "pixel",
      "Purchase Email": "ann@example.org",
      "Item Price ($)": "19.0",
      "Sale Price ($)": "9.5",
      "License Key": "AAAAAAAA-11111111-BBBBBBBB-22222222",
    };
    const totals = { "Purchase ID": "Totals", "Subtotal ($)": "9.5", "Item Price ($)": "19.0" };
    const file = `${[GUMROAD_SALES, row(sale), row(totals)].join("\n")}\n`;
    const room = await createRoom();
    // The headers of amounts have a dollar sign.
    await room.shop.setSite({ currency: "USD" });
    for (const kind of ["products", "customers", "keys"] as const) {
      const { counts } = await room.take(file, { kind });
      assert.deepEqual([counts.created, counts.failed], [1, 0], kind);
    }
    const { items } = (await (await room.shop.admin("GET", "/api/admin/products")).json()) as {
      items: { price: number }[];
    };
    // The price of the product, not what one buyer paid.
    assert.equal(items[0]?.price, 1_900);
  });
});
