/** A finding of the doctor. */

export type Level = "ok" | "warning" | "problem";

export interface Finding {
  /** What was checked, such as "public address". */
  readonly check: string;
  readonly level: Level;
  /** The finding, in one sentence without a full stop. */
  readonly message: string;
  readonly advice?: string;
}

export function createFindings(check: string) {
  return {
    ok: (message: string): Finding => ({ check, level: "ok", message }),
    warning: (message: string, advice: string): Finding => ({ check, level: "warning", message, advice }),
    problem: (message: string, advice: string): Finding => ({ check, level: "problem", message, advice }),
  };
}
