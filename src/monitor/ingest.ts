/**
 * What happens to an agent's hello and reports: credentials, storing, and only then the Ack. Hidden
 * here: the order "durable first", deduplication, and what a report changes elsewhere.
 */
import { createSecretCheck, hashSecret } from "../kit/admin-token.ts";
import type { Clock } from "../kit/clock.ts";
import { AppError } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import { addressKey, createRateLimit } from "../kit/rate-limit.ts";
import type { SampleLog } from "../store/samples/samples.ts";
import type { AgentRegistry, Registration } from "./agent-registry.ts";
import type { AgentIngest, AgentSession } from "./agent-session.ts";
import type { Board } from "./board.ts";
import type { Dedupe } from "./dedupe.ts";
import type { History } from "./history.ts";
import type { Live } from "./live.ts";
import type { MetricRow } from "./metric-names.ts";
import { parseReport } from "./report.ts";
import type { ServerRecord } from "./schema.ts";
import type { Servers } from "./servers.ts";
