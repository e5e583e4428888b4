/** Mails about withdrawals. */
import { createTextBook } from "../../kit/text/text-book.ts";
import { shopWithdrawals } from "../../texts/shop-withdrawals.ts";

/** The words of a language, and the language that they are in. */
export const findWithdrawalWords = createTextBook(shopWithdrawals);
