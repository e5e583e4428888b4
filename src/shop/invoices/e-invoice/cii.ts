/** Factur-X and ZUGFeRD: an invoice or a credit note as UN/CEFACT Cross Industry Invoice, in the profile EN 16931. */
import {
  type EAddress,
  type EAllowance,
  type EInvoice,
  type ELine,
  type EParty,
  type EVat,
  sumOf,
  toAmount,
  toRate,
} from "./e-invoice.ts";
import { type XmlElement, element, textElement, toXml } from "./xml.ts";

const UNECE = "urn:un:unece:uncefact:data:standard:";
const namespaces = {
  "xmlns:rsm": `${UNECE}CrossIndustryInvoice:100`,
  "xmlns:ram": `${UNECE}ReusableAggregateBusinessInformationEntity:100`,
  "xmlns:udt": `${UNECE}UnqualifiedDataType:100`,
  "xmlns:qdt": `${UNECE}QualifiedDataType:100`,
};

/** "2026-11-21" in format 102: "20261121". */
function toDate(name: string, day: string, prefix = "udt"): XmlElement {
  const text = element(`${prefix}:DateTimeString`, day.replaceAll("-", ""), { format: "102" });
  return element(name, [text]);
}

function toAddress({ line1, line2, city, postalCode, region, country }: EAddress): XmlElement {
  return element("ram:PostalTradeAddress", [
    textElement("ram:PostcodeCode", postalCode),
    textElement("ram:LineOne", line1),
    textElement("ram:LineTwo", line2),
    textElement("ram:CityName", city),
    textElement("ram:CountryID", country),
    textElement("ram:CountrySubDivisionName", region),
  ]);
}

function toContact({ name, phone, email }: EParty["contact"]): XmlElement | undefined {
  if ([name, phone, email].every((text) => (text ?? "") === "")) return undefined;
  return element("ram:DefinedTradeContact", [
    textElement("ram:PersonName", name),
    (phone ?? "") === ""
      ? undefined
      : element("ram:TelephoneUniversalCommunication", [textElement("ram:CompleteNumber", phone)]),
    (email ?? "") === ""
      ? undefined
      : element("ram:EmailURIUniversalCommunication", [textElement("ram:URIID", email)]),
  ]);
}

function toParty(name: string, party: EParty): XmlElement {
  const { endpoint } = party;
  const registration = (scheme: string, id: string | undefined): XmlElement | undefined =>
    id === undefined
      ? undefined
      : element("ram:SpecifiedTaxRegistration", [textElement("ram:ID", id, { schemeID: scheme })]);
  return element(name, [
    textElement("ram:ID", party.id),
    textElement("ram:Name", party.name),
    textElement("ram:Description", party.legalForm),
    toContact(party.contact),
    toAddress(party.address),
    endpoint &&
      element("ram:URIUniversalCommunication", [
        textElement("ram:URIID", endpoint.id, { schemeID: endpoint.scheme }),
      ]),
    registration("VA", party.vatId),
    registration("FC", party.taxNumber),
  ]);
}

interface Money {
  (name: string, amount: number): XmlElement;
}

const toCategory = ({ category }: EVat): XmlElement | undefined => textElement("ram:CategoryCode", category);

/** Lines that are not subject to VAT have no rate (BR-O-05). */
function toPercent(vat: EVat): XmlElement | undefined {
  return vat.category === "O" ? undefined : textElement("ram:RateApplicablePercent", toRate(vat));
}

function toLine(line: ELine, index: number, money: Money): XmlElement {
  return element("ram:IncludedSupplyChainTradeLineItem", [
    element("ram:AssociatedDocumentLineDocument", [textElement("ram:LineID", String(index + 1))]),
    element("ram:SpecifiedTradeProduct", [
      textElement("ram:SellerAssignedID", line.sku),
      textElement("ram:Name", line.name),
      ...line.attributes.map(([name, value]) =>
        element("ram:ApplicableProductCharacteristic", [
          textElement("ram:Description", name),
          textElement("ram:Value", value),
        ]),
      ),
    ]),
    element("ram:SpecifiedLineTradeAgreement", [
      element("ram:NetPriceProductTradePrice", [textElement("ram:ChargeAmount", line.price)]),
    ]),
    element("ram:SpecifiedLineTradeDelivery", [
      textElement("ram:BilledQuantity", String(line.quantity), { unitCode: "H87" }),
    ]),
    element("ram:SpecifiedLineTradeSettlement", [
      element("ram:ApplicableTradeTax", [
        textElement("ram:TypeCode", "VAT"),
        toCategory(line.vat),
        toPercent(line.vat),
      ]),
      element("ram:SpecifiedTradeSettlementLineMonetarySummation", [money("ram:LineTotalAmount", line.net)]),
    ]),
  ]);
}

function toAllowance(isCharge: boolean, allowance: EAllowance, money: Money): XmlElement {
  return element("ram:SpecifiedTradeAllowanceCharge", [
    element("ram:ChargeIndicator", [textElement("udt:Indicator", String(isCharge))]),
    money("ram:ActualAmount", allowance.amount),
    textElement("ram:ReasonCode", allowance.reasonCode),
    textElement("ram:Reason", allowance.reason),
    element("ram:CategoryTradeTax", [
      textElement("ram:TypeCode", "VAT"),
      toCategory(allowance.vat),
      toPercent(allowance.vat),
    ]),
  ]);
}

function toAgreement({ buyerReference, seller, buyer, orderNumber, orderReference }: EInvoice): XmlElement {
  const reference = (name: string, id: string | undefined): XmlElement | undefined =>
    id === undefined ? undefined : element(name, [textElement("ram:IssuerAssignedID", id)]);
  return element("ram:ApplicableHeaderTradeAgreement", [
    textElement("ram:BuyerReference", buyerReference),
    toParty("ram:SellerTradeParty", seller),
    toParty("ram:BuyerTradeParty", buyer),
    reference("ram:SellerOrderReferencedDocument", orderNumber),
    reference("ram:BuyerOrderReferencedDocument", orderReference),
  ]);
}

function toDelivery({ deliverTo, deliveredOn }: EInvoice): XmlElement {
  return element("ram:ApplicableHeaderTradeDelivery", [
    deliverTo &&
      element("ram:ShipToTradeParty", [
        textElement("ram:Name", deliverTo.name),
        toAddress(deliverTo.address),
      ]),
    deliveredOn === undefined
      ? undefined
      : element("ram:ActualDeliverySupplyChainEvent", [toDate("ram:OccurrenceDateTime", deliveredOn)]),
  ]);
}

function toSettlement(invoice: EInvoice, money: Money): XmlElement {
  const { payment, period, corrects, currency, total } = invoice;
  return element("ram:ApplicableHeaderTradeSettlement", [
    textElement("ram:PaymentReference", payment.reference),
    textElement("ram:InvoiceCurrencyCode", currency),
    element("ram:SpecifiedTradeSettlementPaymentMeans", [
      textElement("ram:TypeCode", payment.code),
      textElement("ram:Information", payment.title),
      payment.iban === undefined
        ? undefined
        : element("ram:PayeePartyCreditorFinancialAccount", [textElement("ram:IBANID", payment.iban)]),
    ]),
    ...invoice.vatTotals.map((row) =>
      element("ram:ApplicableTradeTax", [
        money("ram:CalculatedAmount", row.tax),
        textElement("ram:TypeCode", "VAT"),
        textElement("ram:ExemptionReason", row.reason),
        money("ram:BasisAmount", row.net),
        toCategory(row.vat),
        textElement("ram:ExemptionReasonCode", row.reasonCode),
        textElement("ram:RateApplicablePercent", toRate(row.vat)),
      ]),
    ),
    period &&
      element("ram:BillingSpecifiedPeriod", [
        toDate("ram:StartDateTime", period.from),
        toDate("ram:EndDateTime", period.to),
      ]),
    ...invoice.allowances.map((one) => toAllowance(false, one, money)),
    ...invoice.charges.map((one) => toAllowance(true, one, money)),
    element("ram:SpecifiedTradePaymentTerms", [
      textElement("ram:Description", invoice.terms),
      toDate("ram:DueDateDateTime", invoice.dueOn),
    ]),
    element("ram:SpecifiedTradeSettlementHeaderMonetarySummation", [
      money("ram:LineTotalAmount", sumOf(invoice.lines.map(({ net }) => net))),
      money("ram:ChargeTotalAmount", sumOf(invoice.charges.map(({ amount }) => amount))),
      money("ram:AllowanceTotalAmount", sumOf(invoice.allowances.map(({ amount }) => amount))),
      money("ram:TaxBasisTotalAmount", invoice.net),
      element("ram:TaxTotalAmount", toAmount(invoice.tax, currency), { currencyID: currency }),
      money("ram:GrandTotalAmount", total),
      money("ram:TotalPrepaidAmount", invoice.prepaid),
      money("ram:DuePayableAmount", total - invoice.prepaid),
    ]),
    corrects &&
      element("ram:InvoiceReferencedDocument", [
        textElement("ram:IssuerAssignedID", corrects.number),
        toDate("ram:FormattedIssueDateTime", corrects.issuedOn, "qdt"),
      ]),
  ]);
}

/** The XML document. */
export function toCii(invoice: EInvoice): string {
  const money: Money = (name, amount) => element(name, toAmount(amount, invoice.currency));
  const root = element(
    "rsm:CrossIndustryInvoice",
    [
      element("rsm:ExchangedDocumentContext", [
        element("ram:GuidelineSpecifiedDocumentContextParameter", [
          textElement("ram:ID", "urn:cen.eu:en16931:2017"),
        ]),
      ]),
      element("rsm:ExchangedDocument", [
        textElement("ram:ID", invoice.number),
        textElement("ram:TypeCode", invoice.isCredit ? "381" : "380"),
        toDate("ram:IssueDateTime", invoice.issuedOn),
        ...invoice.notes.map((note) => element("ram:IncludedNote", [textElement("ram:Content", note)])),
      ]),
      element("rsm:SupplyChainTradeTransaction", [
        ...invoice.lines.map((line, index) => toLine(line, index, money)),
        toAgreement(invoice),
        toDelivery(invoice),
        toSettlement(invoice, money),
      ]),
    ],
    namespaces,
  );
  return toXml(root);
}
