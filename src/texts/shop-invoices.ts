// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-invoices.json" with { type: "json" };
import en from "./en/shop-invoices.json" with { type: "json" };
import zh from "./zh/shop-invoices.json" with { type: "json" };

export const shopInvoices = { de, en, zh };
