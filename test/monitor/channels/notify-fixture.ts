/** What the monitor's tests send notices with: real HTTP to receivers on this machine, and no mail unless a suite brings some. */
import { type OutboundOptions, createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import type { NotifyDeps } from "../../../src/monitor/channels/notifying.ts";
import type { NoticeMail } from "../../../src/monitor/channels/sending.ts";

/** Every name is this machine, so that no test asks a name server. */
export function createTestNotify(
  options: Partial<OutboundOptions> & { mail?: NoticeMail; secret?: string } = {},
): NotifyDeps {
  const { mail, secret = "a secret of at least 32 characters", ...rest } = options;
  const outbound = createOutbound({
    allowPrivate: true,
    privateRemedy: "set NOTIFY_PRIVATE=1 to allow private addresses",
    userAgent: "Trivet/test",
    lookup: () => Promise.resolve(["127.0.0.1"]),
    ...rest,
  });
  return { box: createSecretBox(secret), outbound, publicOutbound: outbound, mail };
}
