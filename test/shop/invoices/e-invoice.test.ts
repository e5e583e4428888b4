/** E-invoices by the rules of EN 16931 and XRechnung, over worked invoices and credit notes. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { exponentOf } from "../../../src/shop/base/money.ts";
import { toCii } from "../../../src/shop/invoices/e-invoice/cii.ts";
import { listProblems } from "../../../src/shop/invoices/e-invoice/problems.ts";
import { toEInvoice, toUnitPrice } from "../../../src/shop/invoices/e-invoice/to-e-invoice.ts";
import { toUbl } from "../../../src/shop/invoices/e-invoice/ubl.ts";
import { escapeXml } from "../../../src/shop/invoices/e-invoice/xml.ts";
import { toInvoiceDocument } from "../../../src/shop/invoices/document.ts";
import type { InvoiceRecord } from "../../../src/shop/invoices/schema.ts";
import { findBroken, skipWithoutRules } from "./schematron.ts";
import { type WorkedInvoice, workInvoices } from "./worked-invoices.ts";
import { type XmlNode, findAll, readXml, textAt } from "./xml-reader.ts";

const skip = await skipWithoutRules();

interface Row {
  readonly category: string;
  readonly rate: string;
  /** In hundredths of the currency unit. */
  readonly amount: number;
  readonly tax: number;
  readonly reason: string;
}

interface Read {
  readonly root: XmlNode;
  readonly lines: readonly (Row & {
    readonly quantity: string;
    readonly price: string;
    readonly name: string;
  })[];
  readonly allowances: readonly Row[];
  readonly charges: readonly Row[];
  readonly totals: readonly Row[];
  /** Line total, allowances, charges, net, tax, gross, paid, due. */
  readonly sums: readonly number[];
}

/** "12.3" → 1230; at most two decimal places (BR-DEC-01 to BR-DEC-28). */
function toHundredths(text: string): number {
  assert.match(text, /^\d+(?:\.\d{1,2})?$/u);
  const [whole = "", fraction = ""] = text.split(".");
  return Number(whole + fraction.padEnd(2, "0"));
}

function readUbl(xml: string): Read {
  const root = readXml(xml);
  const isCredit = root.name === "CreditNote";
  const row = (node: XmlNode, tax: string, amount: string): Row => ({
    category: textAt(node, `${tax}/ID`),
    rate: textAt(node, `${tax}/Percent`),
    amount: toHundredths(textAt(node, amount)),
    tax: node.name === "TaxSubtotal" ? toHundredths(textAt(node, "TaxAmount")) : 0,
    reason: textAt(node, `${tax}/TaxExemptionReason`) || textAt(node, "AllowanceChargeReason"),
  });
  const lines = findAll(root, isCredit ? "CreditNoteLine" : "InvoiceLine").map((node) => ({
    ...row(node, "Item/ClassifiedTaxCategory", "LineExtensionAmount"),
    quantity: textAt(node, isCredit ? "CreditedQuantity" : "InvoicedQuantity"),
    price: textAt(node, "Price/PriceAmount"),
    name: textAt(node, "Item/Name"),
  }));
  const parts = findAll(root, "AllowanceCharge");
  const of = (isCharge: string): Row[] =>
    parts
      .filter((node) => textAt(node, "ChargeIndicator") === isCharge)
      .map((node) => row(node, "TaxCategory", "Amount"));
  const sum = (name: string): number => toHundredths(textAt(root, `LegalMonetaryTotal/${name}`));
  return {
    root,
    lines,
    allowances: of("false"),
    charges: of("true"),
    totals: findAll(root, "TaxTotal/TaxSubtotal").map((node) => row(node, "TaxCategory", "TaxableAmount")),
    sums: [
      ...["LineExtensionAmount", "AllowanceTotalAmount", "ChargeTotalAmount", "TaxExclusiveAmount"].map(sum),
      toHundredths(textAt(root, "TaxTotal/TaxAmount")),
      ...["TaxInclusiveAmount", "PrepaidAmount", "PayableAmount"].map(sum),
    ],
  };
}

function readCii(xml: string): Read {
  const root = readXml(xml);
  const transaction = findAll(root, "SupplyChainTradeTransaction")[0] ?? assert.fail();
  const settlement = findAll(transaction, "ApplicableHeaderTradeSettlement")[0] ?? assert.fail();
  const row = (node: XmlNode, tax: string, amount: string): Row => ({
    category: textAt(node, `${tax}CategoryCode`),
    rate: textAt(node, `${tax}RateApplicablePercent`),
    amount: toHundredths(textAt(node, amount)),
    tax: tax === "" ? toHundredths(textAt(node, "CalculatedAmount")) : 0,
    reason: textAt(node, "ExemptionReason") || textAt(node, "Reason"),
  });
  const lines = findAll(transaction, "IncludedSupplyChainTradeLineItem").map((node) => ({
    ...row(
      node,
      "SpecifiedLineTradeSettlement/ApplicableTradeTax/",
      "SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
    ),
    quantity: textAt(node, "SpecifiedLineTradeDelivery/BilledQuantity"),
    price: textAt(node, "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount"),
    name: textAt(node, "SpecifiedTradeProduct/Name"),
  }));
  const of = (isCharge: string): Row[] =>
    findAll(settlement, "SpecifiedTradeAllowanceCharge")
      .filter((node) => textAt(node, "ChargeIndicator/Indicator") === isCharge)
      .map((node) => row(node, "CategoryTradeTax/", "ActualAmount"));
  const sums = [
    ...["LineTotalAmount", "AllowanceTotalAmount", "ChargeTotalAmount", "TaxBasisTotalAmount"],
    ...["TaxTotalAmount", "GrandTotalAmount", "TotalPrepaidAmount", "DuePayableAmount"],
  ];
  return {
    root,
    lines,
    allowances: of("false"),
    charges: of("true"),
    totals: findAll(settlement, "ApplicableTradeTax").map((node) => row(node, "", "BasisAmount")),
    sums: sums.map((name) =>
      toHundredths(textAt(settlement, `SpecifiedTradeSettlementHeaderMonetarySummation/${name}`)),
    ),
  };
}

const add = (rows: readonly { readonly amount: number }[]): number =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

/** Price × quantity, rounded half up to hundredths. */
function multiply(price: string, quantity: string): bigint {
  const [whole = "", fraction = ""] = price.split(".");
  const scale = 10n ** BigInt(Math.max(fraction.length, 2) - 2);
  const product = BigInt(whole + fraction.padEnd(2, "0")) * BigInt(quantity);
  return (product * 2n + scale) / (scale * 2n);
}

describe("e-invoices", () => {
  let worked: readonly WorkedInvoice[] = [];
  /** Those that can be e-invoices, in both syntaxes. */
  let files: { name: string; record: InvoiceRecord; ubl: Read; cii: Read; xml: readonly [string, string] }[] =
    [];
  before(async () => {
    worked = await workInvoices();
    files = worked
      .filter(({ record }) => listProblems(toEInvoice(record), "xrechnung").length === 0)
      .map(({ name, record }) => {
        const [ubl, cii] = [toUbl(toEInvoice(record)), toCii(toEInvoice(record))];
        return { name, record, ubl: readUbl(ubl), cii: readCii(cii), xml: [ubl, cii] as const };
      });
  });
  const each = (check: (file: Read, record: InvoiceRecord, name: string) => void): void => {
    for (const { name, record, ubl, cii } of files) {
      check(ubl, record, `${name}, UBL`);
      check(cii, record, `${name}, CII`);
    }
  };

  it("are issued for every worked document but one in thousandths of a dinar", () => {
    assert.ok(files.length >= 25);
    const others = worked.filter(({ name }) => files.every((file) => file.name !== name));
    assert.deepEqual(
      others.map(({ name }) => name),
      ["dinars: credit note 1"],
    );
    for (const { name, record } of worked)
      assert.equal(record.eInvoice, name === "dinars: credit note 1" ? undefined : true, name);
    const [dinars = assert.fail()] = others;
    assert.match(listProblems(toEInvoice(dinars.record), "facturx").join(), /KWD .* \(BR-DEC-12\)/u);
  });

  it("BR-CO-10 to BR-CO-16: all columns add up to the unit, and to what the order cost", () => {
    each(({ lines, allowances, charges, totals, sums }, record, name) => {
      const [lineSum = 0, allowanceSum = 0, chargeSum = 0, net = 0, tax = 0, gross = 0, paid = 0, due = 0] =
        sums;
      assert.equal(add(lines), lineSum, `BR-CO-10 ${name}`);
      assert.equal(add(allowances), allowanceSum, `BR-CO-11 ${name}`);
      assert.equal(add(charges), chargeSum, `BR-CO-12 ${name}`);
      assert.equal(lineSum - allowanceSum + chargeSum, net, `BR-CO-13 ${name}`);
      assert.equal(
        totals.reduce((sum, row) => sum + row.tax, 0),
        tax,
        `BR-CO-14 ${name}`,
      );
      assert.equal(net + tax, gross, `BR-CO-15 ${name}`);
      assert.equal(gross - paid, due, `BR-CO-16 ${name}`);
      const hundredths = (amount: number): number => (amount * 100) / 10 ** exponentOf(record.currency);
      assert.equal(gross, hundredths(record.total), name);
      const isGross = record.pricesIncludeTax === true;
      const shipping = record.shipping - (isGross ? (record.tax?.shipping ?? 0) : 0);
      assert.equal(chargeSum, hundredths(shipping), `the shipping without VAT, ${name}`);
    });
  });

  it("BR-S-08, BR-AE-08, BR-IC-08, BR-G-08, BR-E-08, BR-Z-08, BR-O-08: each rate adds up by itself, once", () => {
    each(({ lines, allowances, charges, totals }, _record, name) => {
      const keyOf = ({ category, rate }: Row): string => `${category} ${category === "O" ? "" : rate}`;
      assert.equal(new Set(totals.map(keyOf)).size, totals.length, name);
      for (const total of totals) {
        const [own, off, on] = [lines, allowances, charges].map((rows) =>
          add(rows.filter((row) => keyOf(row) === keyOf(total))),
        );
        assert.equal((own ?? 0) - (off ?? 0) + (on ?? 0), total.amount, `${name} ${keyOf(total)}`);
      }
      for (const row of [...lines, ...allowances, ...charges])
        assert.ok(
          totals.some((total) => keyOf(total) === keyOf(row)),
          `BR-CO-18 ${name}`,
        );
    });
  });

  it("BR-CO-17, BR-S-09: the VAT of a rate is that of its net, within what rounding each line can differ", () => {
    each(({ lines, charges, totals }, record, name) => {
      const unit = 100 / 10 ** exponentOf(record.currency);
      for (const { amount, rate, tax } of totals) {
        const wanted = (amount * Number(rate)) / 100;
        const most = (unit / 2) * (lines.length + charges.length) * 2 + 1;
        assert.ok(Math.abs(tax - wanted) < Math.min(100, most), `${name}: ${tax}, ${wanted}`);
      }
    });
  });

  it("BR-24, BR-26, BR-27: quantity times price is the net of a line, and no price is negative", () => {
    each(({ lines }, _record, name) => {
      assert.ok(lines.length > 0, `BR-16 ${name}`);
      for (const { quantity, price, amount, name: title } of lines) {
        assert.equal(multiply(price, quantity), BigInt(amount), `${name}: ${quantity} × ${price}`);
        assert.notEqual(title, "", `BR-25 ${name}`);
      }
    });
    assert.equal(toUnitPrice(2_518, 3, "EUR"), "8.393");
    assert.equal(toUnitPrice(2_700, 3, "EUR"), "9.00");
    assert.equal(toUnitPrice(100, 3, "JPY"), "33.3");
    assert.equal(toUnitPrice(0, 7, "EUR"), "0.00");
  });

  it("BR-AE-10, BR-IC-10, BR-G-10, BR-E-10, BR-O-10: what is not taxed has a reason, and only that", () => {
    const seen = new Set<string>();
    each(({ totals }, _record, name) => {
      for (const { category, rate, reason, tax } of totals) {
        seen.add(category);
        const isTaxed = category === "S" || category === "Z";
        assert.equal(reason === "", isTaxed, `${name} ${category}`);
        assert.equal(Number(rate) > 0, category === "S", `BR-S-05 ${name}`);
        if (category !== "S") assert.equal(tax, 0, name);
      }
    });
    assert.deepEqual(
      [...seen].toSorted((a, b) => (a < b ? -1 : 1)),
      ["AE", "E", "G", "K", "O", "S", "Z"],
    );
  });

  it("BR-55: credit notes are of type 381 with positive amounts, and name the invoice and its day", () => {
    for (const { record, ubl, cii, name } of files) {
      const isCredit = record.kind === "credit_note";
      const settlement = "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement";
      assert.equal(textAt(cii.root, "ExchangedDocument/TypeCode"), isCredit ? "381" : "380", name);
      assert.equal(ubl.root.name, isCredit ? "CreditNote" : "Invoice");
      assert.equal(textAt(ubl.root, `${ubl.root.name}TypeCode`), isCredit ? "381" : "380");
      const named = textAt(ubl.root, "BillingReference/InvoiceDocumentReference/ID");
      assert.equal(named, record.corrects?.number ?? "");
      assert.equal(
        textAt(cii.root, `${settlement}/InvoiceReferencedDocument/IssuerAssignedID`),
        record.corrects?.number ?? "",
      );
    }
  });

  it("BR-DE-1 to BR-DE-28, PEPPOL-EN16931-R010 and R020: XRechnung knows seller, buyer, contact and addresses", () => {
    for (const { ubl, name } of files) {
      const at = (path: string): string => textAt(ubl.root, path);
      const party = "AccountingSupplierParty/Party";
      for (const path of [
        "PaymentMeans/PaymentMeansCode",
        "BuyerReference",
        `${party}/PostalAddress/CityName`,
        `${party}/PostalAddress/PostalZone`,
        `${party}/Contact/Name`,
        `${party}/Contact/Telephone`,
        `${party}/Contact/ElectronicMail`,
        `${party}/EndpointID`,
        "AccountingCustomerParty/Party/PostalAddress/CityName",
        "AccountingCustomerParty/Party/PostalAddress/PostalZone",
        "AccountingCustomerParty/Party/EndpointID",
        "InvoicePeriod/StartDate",
      ])
        assert.notEqual(at(path), "", `${path} of ${name}`);
      assert.match(at("CustomizationID"), /#urn:xeinkauf\.de:kosit:xrechnung_3\.0$/u);
    }
  });

  it("BR-61, BR-DE-19, BR-DE-23: bank transfers name the IBAN, other payments none; references arrive", () => {
    const of = (wanted: string): Read => files.find(({ name }) => name === wanted)?.ubl ?? assert.fail();
    const transfer = of("bank transfer").root;
    assert.equal(textAt(transfer, "PaymentMeans/PaymentMeansCode"), "58");
    assert.equal(textAt(transfer, "PaymentMeans/PayeeFinancialAccount/ID"), "DE02120300000000202051");
    const online = of("one rate, prices with VAT").root;
    assert.equal(textAt(online, "PaymentMeans/PaymentMeansCode"), "68");
    assert.deepEqual(findAll(online, "PaymentMeans/PayeeFinancialAccount"), []);
    for (const suffix of ["", ": credit note 1"]) {
      const { root } = of(`references of a public authority${suffix}`);
      assert.equal(textAt(root, "BuyerReference"), "991-33333TEST-33");
      assert.equal(textAt(root, "OrderReference/ID"), "PO 4711/26");
    }
  });

  it("say the same in UBL and CII, and as the printed columns, whose rows add up to the total", () => {
    for (const { name, record, ubl, cii } of files) {
      assert.deepEqual(ubl.lines, cii.lines, name);
      assert.deepEqual(ubl.totals, cii.totals, name);
      assert.deepEqual(ubl.sums, cii.sums, name);
      if (record.kind === "credit_note") continue;
      const digits = exponentOf(record.currency);
      const read = (cell = ""): number => Number(cell.replaceAll(/[^\d-]/gu, ""));
      const { rows, sums } = toInvoiceDocument(record);
      const printed = rows.reduce((all, { cells }) => all + read(cells.at(-1)), 0);
      assert.equal(printed, read(sums[0]?.[1]), `${name}: ${digits} digits`);
      const total = read(sums.at(-1)?.[1]);
      const added = sums.slice(0, -1).reduce((all, [, value]) => all + read(value), 0);
      const isGross = record.tax === undefined || record.pricesIncludeTax === true;
      // With net prices, the sums include the net total.
      assert.equal(isGross ? added : added - (record.total - (record.tax?.amount ?? 0)), total, name);
      assert.equal(total, record.total);
    }
  });

  it("contain every text as it was written, and never what XML cannot", () => {
    const { ubl, cii } = files.find(({ name }) => name.startsWith("free items")) ?? assert.fail();
    for (const { lines } of [ubl, cii]) assert.equal(lines[1]?.name, `"A" & 'B' <c> ]]> \u{1f600} é`);
    assert.equal(
      escapeXml("a\u0000\u0008\u001f\u{d800}\ufffe\tb\n\r"),
      "a\ufffd\ufffd\ufffd\ufffd\ufffd\tb\n&#13;",
    );
    assert.equal(
      textAt(ubl.root, "AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName"),
      "Käufer & Co. <KG>",
    );
  });

  it("name what is missing, by the rule that wants it", () => {
    const { record } = files[0] ?? assert.fail();
    const problems = (change: Partial<InvoiceRecord>, format: "facturx" | "xrechnung" = "facturx"): string =>
      listProblems(toEInvoice({ ...record, ...change }), format).join("\n");
    assert.match(problems({ billingAddress: undefined, country: "DE" }), /BR-07/u);
    assert.match(problems({ billingAddress: undefined }), /BR-11/u);
    const seller = { ...record.seller, vatId: "", taxNumber: "", register: "" };
    assert.match(problems({ seller }), /BR-CO-26[^]*BR-S-02/u);
    assert.equal(problems({ seller: { ...record.seller, phone: "" } }), "");
    assert.match(problems({ seller: { ...record.seller, phone: "" } }, "xrechnung"), /BR-DE-6/u);
    const supply = files.find(({ name }) => name.startsWith("reverse charge"))?.record ?? assert.fail();
    assert.match(problems({ ...supply, vatId: undefined }), /BR-IC-02/u);
    assert.match(problems({ ...supply, seller: { ...supply.seller, vatId: "" } }), /BR-G-02/u);
    const tax = record.tax ?? assert.fail();
    const [rate = assert.fail()] = tax.rates;
    const wrong = { ...tax, amount: tax.amount + 100, rates: [{ ...rate, tax: rate.tax + 100 }] };
    assert.match(problems({ tax: wrong, total: record.total + 100 }), /differs by 1\.00 EUR .*BR-CO-17/u);
    assert.match(problems({ total: record.total + 1 }), /BR-CO-13/u);
    const lines = record.lines.map((line) => ({ ...line, total: line.total + 1 }));
    assert.match(problems({ lines, shipping: 0 }), /BR-CO-13/u);
  });

  describe("by the official rules", { skip }, () => {
    it("break none, and a file with a wrong sum and one without a phone number do", async () => {
      const folder = await mkdtemp(join(tmpdir(), "trivet-einvoice-"));
      try {
        const of = (at: 0 | 1): Map<string, string> =>
          new Map(files.map(({ xml }, index) => [`file-${index}`, xml[at]]));
        const [ubl, cii] = [of(0), of(1)];
        const first = files[0]?.xml ?? assert.fail();
        ubl.set("wrong-sum", first[0].replace(/(<cbc:PayableAmount[^>]*>)0\.00/u, "$10.01"));
        cii.set("wrong-sum", first[1].replace(/(<ram:DuePayableAmount>)0\.00/u, "$10.01"));
        assert.deepEqual(await findBroken(folder, ubl, "EN16931-UBL-validation.xslt"), [
          "wrong-sum BR-CO-16",
        ]);
        assert.deepEqual(await findBroken(folder, cii, "EN16931-CII-validation.xslt"), [
          "wrong-sum BR-CO-16",
        ]);
        ubl.delete("wrong-sum");
        ubl.set("no-phone", first[0].replace(/<cbc:Telephone>[^<]*<\/cbc:Telephone>/u, ""));
        const german = await findBroken(folder, ubl, "XRechnung-UBL-validation.xslt");
        assert.deepEqual(
          german.filter((broken) => !broken.startsWith("no-phone")),
          [],
        );
        if (german.length > 0) assert.ok(german.includes("no-phone BR-DE-6"));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});
