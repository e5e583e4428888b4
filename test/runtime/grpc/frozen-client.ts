/** A gRPC client that opens a stream, says so, and then does nothing; the test freezes its process. */
import process from "node:process";
import { createTestClient } from "./grpc-client.ts";

const stream = createTestClient(process.argv[2] ?? "").open("/test.v1.Test/Hold");
stream.send("open");
process.stdout.write(`${new TextDecoder().decode(await stream.next())}\n`);
await stream.status;
