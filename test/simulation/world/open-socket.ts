/** In place of the connections of checks: they go to models of the outside, which are told apart by their ports. */
import { ExchangeError } from "../../../src/kit/outbound/outbound-exchange.ts";
import type { Try } from "../../../src/kit/probes/try.ts";
import { getWorld } from "../kernel/current.ts";
import type { Line } from "./line.ts";

export async function openTcp(
  [address = ""]: readonly string[],
  { run, port }: { readonly run: Try; readonly port: number },
): Promise<{ readonly socket: Line; readonly address: string }> {
  run.begin("connect");
  try {
    const socket = await getWorld().outside.connect(port, run.signal);
    run.finish("connect");
    return { socket, address };
  } catch (error) {
    throw new ExchangeError(false, error);
  }
}
