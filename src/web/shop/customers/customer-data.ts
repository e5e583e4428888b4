/** The administration's routes of customers. */

const CUSTOMERS = "/api/admin/customers";

/** The routes of customers, or of one. */
export function customerPath(id = "", action = ""): string {
  return id === "" ? CUSTOMERS : `${CUSTOMERS}/${encodeURIComponent(id)}${action}`;
}
