/** The meaning of a driver error for the store. */
import pg from "pg";
import { codeOf, textOf } from "../../kit/thrown.ts";
import { StoreError } from "../store.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * `retry`: lost against another transaction. `lost`: the server or the connection is unavailable. `missing`: the
 * server responds, but the service's data is missing. `disk`: it cannot read or write its files.
 */
export type FailureKind = "retry" | "duplicate" | "too_long" | "lost" | "busy" | "missing" | "disk" | "other";

const byState: Readonly<Record<string, FailureKind>> = {
  "40001": "retry", // serialization_failure
  "40P01": "retry", // deadlock_detected
  "23505": "duplicate", // unique_violation
  "54000": "too_long", // program_limit_exceeded: an index entry that fits no page
  "57014": "busy", // query_canceled: statement_timeout
  "55P03": "busy", // lock_not_available
  "53300": "busy", // too_many_connections
  "53100": "disk", // disk_full
  "53200": "busy", // out_of_memory
  "42P01": "missing", // undefined_table
  "3D000": "missing", // invalid_catalog_name: no such database
  "3F000": "missing", // invalid_schema_name
  "25P03": "lost", // idle_in_transaction_session_timeout
  "57P01": "lost", // admin_shutdown
  "57P02": "lost", // crash_shutdown
  "57P03": "lost", // cannot_connect_now: starting or stopping
  "57P05": "lost", // idle_session_timeout
};

/** Classes whose errors are all of one kind: connection exceptions; system errors, such as io_error. */
const byClass: Readonly<Record<string, FailureKind>> = { "08": "lost", "58": "disk" };

const lostText = /terminated|not queryable|closed|reset|timeout|timed out|refused|ended|EPIPE|socket/iu;

/** Classifies an error of a query or a connection. */
export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? "";
    return byState[state] ?? byClass[state.slice(0, 2)] ?? "other";
  }
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z]+$/u.test(code)) return "lost";
  return lostText.test(textOf(error)) ? "lost" : "other";
}

/** A `store_unavailable` error for a server that cannot be used now. */
export function toUnavailable(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new DatabaseUnavailable(describeFailure(error), error);
}

function describeFailure(error: unknown): string {
  const kind = kindOfFailure(error);
  if (kind === "busy") return `PostgreSQL is too busy: ${textOf(error)}`;
  if (kind === "disk") return `PostgreSQL cannot use its disk: ${textOf(error)}`;
  if (kind === "missing")
    return `PostgreSQL does not have the tables of the service: ${textOf(error)}. Connect to the right database`;
  return `PostgreSQL cannot be reached: ${textOf(error)}`;
}

/** Whether an error says that the database is unavailable for a reason other than the statement. */
export function isUnavailable(error: unknown): boolean {
  return ["lost", "busy", "missing", "disk"].includes(kindOfFailure(error));
}

/** Two that create one table at the same moment: one of them fails on the catalogue's own unique indexes. */
export function isCatalogueRace(error: unknown): boolean {
  const kind = kindOfFailure(error);
  if (kind === "retry" || kind === "duplicate") return true;
  // duplicate_table, duplicate_object (its row type), and "tuple concurrently updated", which has no code.
  return error instanceof pg.DatabaseError && ["42P07", "42710", "XX000"].includes(error.code ?? "");
}
