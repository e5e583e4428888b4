// Made by `npm run texts` from the folders of languages. Do not edit.
import de from "./de/shop-withdrawals.json" with { type: "json" };
import en from "./en/shop-withdrawals.json" with { type: "json" };
import zh from "./zh/shop-withdrawals.json" with { type: "json" };

export const shopWithdrawals = { de, en, zh };
