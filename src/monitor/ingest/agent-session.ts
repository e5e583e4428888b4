/** The interface between the stream's edge (`agent-stream.ts`) and its logic (`ingest.ts`). Types only. */

export interface AgentHello {
  readonly serverId: string;
  readonly agentKey: string;
  readonly hostname: string;
  readonly remoteAddress: string;
  /** Whether the agent posts its reports: any node may get the next one, so moving between nodes is no second agent. */
  readonly isPosted?: boolean;
}

export interface AgentIngest {
  /** Checks the credentials and enters the stream. Throws AppError `unauthenticated`, `rate_limited`, `forbidden`. */
  open(hello: AgentHello): Promise<AgentSession>;
}

export interface ReportOutcome {
  readonly accepted: boolean;
  /** Text of the Ack: "metrics <collected_at>" once it is durable, or "rejected <reason>". */
  readonly ack: string;
  /** Text of a further Ack that the report asked for: "lists <revision> <JSON>". */
  readonly more?: string | undefined;
}

export interface AgentSession {
  readonly serverId: string;
  /** Resolves when the report is durable or refused. Throws `store_unavailable` when it could not be kept. */
  report(payloadJson: string, collectedAtUnixMs: number): Promise<ReportOutcome>;
  heartbeat(): void;
  /** Aborts with a GrpcError as its reason when the service ends the session. */
  readonly ended: AbortSignal;
  /** The stream is gone; idempotent. */
  close(): void;
}
