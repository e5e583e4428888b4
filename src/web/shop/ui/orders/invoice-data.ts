/** The administration's routes of invoices and credit notes. */

export const INVOICES = "/api/admin/invoices";
