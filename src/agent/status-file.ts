/**
 * How the agent fares, as lines NAME=VALUE in its data folder: what install.sh and a person read to know whether this
 * machine reports, and if not why.
 */
import type { FileLayer } from "../kit/files/file-layer.ts";

/**
 * `reporting`: the monitor acknowledged a report. `rejected`: it rejects them. `offline`: there is no connection.
 * `failed`: the agent ended.
 */
export type AgentState = "starting" | "offline" | "rejected" | "reporting" | "failed";

/** Cause of a failed enrolment or start, where install.sh has advice for it. */
export type FailureCause = "certificate" | "unreachable" | "key" | "privacy" | "other";

export interface AgentStatus {
  readonly state: AgentState;
  readonly cause?: FailureCause | undefined;
  readonly reason?: string | undefined;
  /** Why a key that was given changed nothing. */
  readonly key?: string | undefined;
}

const MAX_VALUE = 500;

function toText(status: AgentStatus): string {
  return Object.entries(status)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${String(value)
          .replace(/\p{C}+/gu, " ")
          .slice(0, MAX_VALUE)}\n`,
    )
    .join("");
}

/** Keeps the status in the data folder; a disk that takes nothing never disturbs the agent. */
export function createStatusFile({ files, folder }: { files: FileLayer; folder: string }) {
  const path = `${folder}/status`;
  let text = "";
  let writing: Promise<void> = Promise.resolve();

  async function write(content: string, before: Promise<void>): Promise<void> {
    await before;
    try {
      await replace(content);
    } catch {
      // The next change tries again.
    }
  }

  async function replace(content: string): Promise<void> {
    const file = await files.openAppend(`${path}.next`, { truncate: true });
    try {
      await file.append(new TextEncoder().encode(content));
    } finally {
      await file.close();
    }
    await files.rename(`${path}.next`, path);
  }

  return {
    /** Writes the status when it differs from the last one; resolves once it is written. */
    set(status: AgentStatus): Promise<void> {
      const next = toText(status);
      if (next === text) return writing;
      text = next;
      writing = write(next, writing);
      return writing;
    },
  };
}

export type StatusFile = ReturnType<typeof createStatusFile>;
