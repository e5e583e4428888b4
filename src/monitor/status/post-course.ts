/** The course of a post: which state its steps bring it to, and what its updates say together. All pure. */
import { AppError } from "../../kit/errors.ts";
import {
  type ComponentStatus,
  type IncidentUpdate,
  type PostRecord,
  incidentSteps,
  maintenanceSteps,
} from "./schema.ts";

export type PostStep = PostRecord["step"];

/** Which state a step brings a post to. */
const stateOf = {
  investigating: "open",
  identified: "open",
  monitoring: "open",
  resolved: "ended",
  postmortem: "ended",
  scheduled: "open",
  in_progress: "open",
  verifying: "open",
  completed: "ended",
} as const satisfies Record<PostStep, "open" | "ended">;

/** Whether a step belongs to posts of that type. */
export function isStepOf(type: PostRecord["type"], step: PostStep): boolean {
  const steps: readonly PostStep[] = type === "incident" ? incidentSteps : maintenanceSteps;
  return steps.includes(step);
}

/** Refuses a step that the post's type does not have, and what follows an end before there is one. @throws AppError `invalid`, `conflict` */
export function checkStep(post: Pick<PostRecord, "type" | "updates">, step: PostStep): void {
  if (!isStepOf(post.type, step)) {
    const message = `must be a step of ${post.type === "incident" ? "an incident" : "maintenance"}`;
    throw new AppError("invalid", "The step is not allowed for this type of post", {
      errors: [{ pointer: "/step", code: "invalid", message }],
    });
  }
  const last = post.updates.at(-1)?.step;
  if (step === "postmortem" && last !== "resolved" && last !== "postmortem")
    throw new AppError("conflict", "A postmortem requires a resolved incident. Resolve the incident first");
}

/** The state of a post by its updates, the newest last. `updates` has at least one. */
export function followUpdates(post: PostRecord, updates: readonly IncidentUpdate[]): PostRecord {
  const sorted = [...updates].sort((a, b) => a.at - b.at);
  const last = sorted.at(-1);
  if (last === undefined) return post;
  const components: Record<string, ComponentStatus> = Object.fromEntries(
    sorted.flatMap((update) => Object.entries(update.components)),
  );
  const state = stateOf[last.step];
  // Ended when it ended first after it was open last: a postmortem comes later.
  const open = sorted.findLastIndex(({ step }) => stateOf[step] === "open");
  const endedAt = state === "ended" ? (sorted[open + 1]?.at ?? last.at) : undefined;
  const { endedAt: _, ...rest } = post;
  return {
    ...rest,
    updates: sorted,
    components,
    step: last.step,
    state: post.state === "draft" ? "draft" : state,
    startedAt: post.plannedFrom ?? sorted[0]?.at ?? post.startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}
