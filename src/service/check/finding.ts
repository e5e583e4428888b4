/** Findings of a check of stored data, for people and for programs. */

/** "error": something is lost or wrong; "warning": something that repairs itself or could not be checked. */
export interface Finding {
  readonly level: "error" | "warning";
  /** A file, or a service. */
  readonly where: string;
  readonly problem: string;
  readonly remedy: string;
}

/** What was checked, with its size. */
export interface Checked {
  readonly what: string;
  readonly count: number;
}

export interface CheckReport {
  /** Such as the folder; never with a password. */
  readonly place: string;
  readonly findings: readonly Finding[];
  readonly checked: readonly Checked[];
}

export const RESTORE = "restore the folder from a backup";

/** Where findings gather. */
export class Findings {
  readonly list: Finding[] = [];
  readonly checked: Checked[] = [];

  error(where: string, problem: string, remedy = RESTORE): void {
    this.list.push({ level: "error", where, problem, remedy });
  }

  warn(where: string, problem: string, remedy: string): void {
    this.list.push({ level: "warning", where, problem, remedy });
  }

  count(what: string, count: number): void {
    this.checked.push({ what, count });
  }
}
