/** The administration's routes of withdrawals. */

export const WITHDRAWALS = "/api/admin/withdrawals";
