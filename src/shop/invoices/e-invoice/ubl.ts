/** XRechnung: an invoice or a credit note in UBL 2.1, as the German CIUS of EN 16931 wants it. */
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

const XRECHNUNG = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
const PROFILE = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";
const VAT = element("cac:TaxScheme", [textElement("cbc:ID", "VAT")]);

function toAddress(name: string, address: EAddress): XmlElement {
  return element(name, [
    textElement("cbc:StreetName", address.line1),
    textElement("cbc:AdditionalStreetName", address.line2),
    textElement("cbc:CityName", address.city),
    textElement("cbc:PostalZone", address.postalCode),
    textElement("cbc:CountrySubentity", address.region),
    element("cac:Country", [textElement("cbc:IdentificationCode", address.country)]),
  ]);
}

function toParty(party: EParty): XmlElement {
  const { endpoint, id, vatId, taxNumber, contact } = party;
  const isReachable = [contact.name, contact.phone, contact.email].some((text) => (text ?? "") !== "");
  return element("cac:Party", [
    endpoint && textElement("cbc:EndpointID", endpoint.id, { schemeID: endpoint.scheme }),
    id === undefined ? undefined : element("cac:PartyIdentification", [textElement("cbc:ID", id)]),
    toAddress("cac:PostalAddress", party.address),
    vatId === undefined
      ? undefined
      : element("cac:PartyTaxScheme", [textElement("cbc:CompanyID", vatId), VAT]),
    taxNumber === undefined
      ? undefined
      : element("cac:PartyTaxScheme", [
          textElement("cbc:CompanyID", taxNumber),
          element("cac:TaxScheme", [textElement("cbc:ID", "FC")]),
        ]),
    element("cac:PartyLegalEntity", [
      textElement("cbc:RegistrationName", party.name),
      textElement("cbc:CompanyLegalForm", party.legalForm),
    ]),
    isReachable
      ? element("cac:Contact", [
          textElement("cbc:Name", contact.name),
          textElement("cbc:Telephone", contact.phone),
          textElement("cbc:ElectronicMail", contact.email),
        ])
      : undefined,
  ]);
}

function toTaxCategory(name: string, vat: EVat, reason?: readonly (XmlElement | undefined)[]): XmlElement {
  // Lines that are not subject to VAT have no rate (BR-O-05); totals have one (BR-DE-14).
  const hasRate = vat.category !== "O" || reason !== undefined;
  return element(name, [
    textElement("cbc:ID", vat.category),
    hasRate ? textElement("cbc:Percent", toRate(vat)) : undefined,
    ...(reason ?? []),
    VAT,
  ]);
}

interface Money {
  (name: string, amount: number): XmlElement;
}

function toAllowance(isCharge: boolean, allowance: EAllowance, money: Money): XmlElement {
  return element("cac:AllowanceCharge", [
    textElement("cbc:ChargeIndicator", String(isCharge)),
    textElement("cbc:AllowanceChargeReasonCode", allowance.reasonCode),
    textElement("cbc:AllowanceChargeReason", allowance.reason),
    money("cbc:Amount", allowance.amount),
    toTaxCategory("cac:TaxCategory", allowance.vat),
  ]);
}

function toLine(
  line: ELine,
  { index, isCredit, money, currency }: { index: number; isCredit: boolean; money: Money; currency: string },
): XmlElement {
  const quantity = textElement(
    isCredit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity",
    `${line.quantity}`,
    {
      unitCode: "H87",
    },
  );
  return element(isCredit ? "cac:CreditNoteLine" : "cac:InvoiceLine", [
    textElement("cbc:ID", String(index + 1)),
    quantity,
    money("cbc:LineExtensionAmount", line.net),
    element("cac:Item", [
      textElement("cbc:Name", line.name),
      line.sku === ""
        ? undefined
        : element("cac:SellersItemIdentification", [textElement("cbc:ID", line.sku)]),
      toTaxCategory("cac:ClassifiedTaxCategory", line.vat),
      ...line.attributes.map(([name, value]) =>
        element("cac:AdditionalItemProperty", [
          textElement("cbc:Name", name),
          textElement("cbc:Value", value),
        ]),
      ),
    ]),
    element("cac:Price", [textElement("cbc:PriceAmount", line.price, { currencyID: currency })]),
  ]);
}

function toDelivery({ deliverTo, deliveredOn }: EInvoice): XmlElement | undefined {
  // An address without a postal code is none to XRechnung (BR-DE-11), and the standard does not need one.
  const place = (deliverTo?.address.postalCode ?? "") === "" ? undefined : deliverTo;
  if (place === undefined && deliveredOn === undefined) return undefined;
  return element("cac:Delivery", [
    textElement("cbc:ActualDeliveryDate", deliveredOn),
    place && element("cac:DeliveryLocation", [toAddress("cac:Address", place.address)]),
    place && element("cac:DeliveryParty", [element("cac:PartyName", [textElement("cbc:Name", place.name)])]),
  ]);
}

function toPayment({ payment, isCredit, issuedOn }: EInvoice): XmlElement {
  return element("cac:PaymentMeans", [
    textElement("cbc:PaymentMeansCode", payment.code, payment.title === "" ? {} : { name: payment.title }),
    isCredit ? textElement("cbc:PaymentDueDate", issuedOn) : undefined,
    textElement("cbc:PaymentID", payment.reference),
    payment.iban === undefined
      ? undefined
      : element("cac:PayeeFinancialAccount", [textElement("cbc:ID", payment.iban)]),
  ]);
}

function toTotals(invoice: EInvoice, money: Money): XmlElement[] {
  const { vatTotals, tax, net, total } = invoice;
  return [
    element("cac:TaxTotal", [
      money("cbc:TaxAmount", tax),
      ...vatTotals.map((row) =>
        element("cac:TaxSubtotal", [
          money("cbc:TaxableAmount", row.net),
          money("cbc:TaxAmount", row.tax),
          toTaxCategory("cac:TaxCategory", row.vat, [
            textElement("cbc:TaxExemptionReasonCode", row.reasonCode),
            textElement("cbc:TaxExemptionReason", row.reason),
          ]),
        ]),
      ),
    ]),
    element("cac:LegalMonetaryTotal", [
      money("cbc:LineExtensionAmount", sumOf(invoice.lines.map((line) => line.net))),
      money("cbc:TaxExclusiveAmount", net),
      money("cbc:TaxInclusiveAmount", total),
      money("cbc:AllowanceTotalAmount", sumOf(invoice.allowances.map(({ amount }) => amount))),
      money("cbc:ChargeTotalAmount", sumOf(invoice.charges.map(({ amount }) => amount))),
      money("cbc:PrepaidAmount", invoice.prepaid),
      money("cbc:PayableAmount", total - invoice.prepaid),
    ]),
  ];
}

/** The XML document. */
export function toUbl(invoice: EInvoice): string {
  const { isCredit, currency, period, orderReference, corrects } = invoice;
  const money: Money = (name, amount) => element(name, toAmount(amount, currency), { currencyID: currency });
  const kind = isCredit ? "CreditNote" : "Invoice";
  const namespaces = {
    xmlns: `${UBL}${kind}-2`,
    "xmlns:cac": `${UBL}CommonAggregateComponents-2`,
    "xmlns:cbc": `${UBL}CommonBasicComponents-2`,
  };
  const members = [
    textElement("cbc:CustomizationID", XRECHNUNG),
    textElement("cbc:ProfileID", PROFILE),
    textElement("cbc:ID", invoice.number),
    textElement("cbc:IssueDate", invoice.issuedOn),
    isCredit ? undefined : textElement("cbc:DueDate", invoice.dueOn),
    textElement(`cbc:${kind}TypeCode`, isCredit ? "381" : "380"),
    ...invoice.notes.map((note) => textElement("cbc:Note", note)),
    textElement("cbc:DocumentCurrencyCode", currency),
    textElement("cbc:BuyerReference", invoice.buyerReference),
    period &&
      element("cac:InvoicePeriod", [
        textElement("cbc:StartDate", period.from),
        textElement("cbc:EndDate", period.to),
      ]),
    orderReference === undefined
      ? undefined
      : element("cac:OrderReference", [
          textElement("cbc:ID", orderReference),
          textElement("cbc:SalesOrderID", invoice.orderNumber),
        ]),
    corrects &&
      element("cac:BillingReference", [
        element("cac:InvoiceDocumentReference", [
          textElement("cbc:ID", corrects.number),
          textElement("cbc:IssueDate", corrects.issuedOn),
        ]),
      ]),
    element("cac:AccountingSupplierParty", [toParty(invoice.seller)]),
    element("cac:AccountingCustomerParty", [toParty(invoice.buyer)]),
    toDelivery(invoice),
    toPayment(invoice),
    element("cac:PaymentTerms", [textElement("cbc:Note", invoice.terms)]),
    ...invoice.allowances.map((one) => toAllowance(false, one, money)),
    ...invoice.charges.map((one) => toAllowance(true, one, money)),
    ...toTotals(invoice, money),
    ...invoice.lines.map((line, index) => toLine(line, { index, isCredit, money, currency })),
  ];
  return toXml(element(kind, members, namespaces));
}
