/** The bus of a process that runs alone: messages go nowhere, and questions have no answers. */
import { type Bus, assertTopic } from "./bus.ts";

const nothing = (): void => undefined;

/** Creates the bus of a process that runs alone. */
export function createLocalBus(node: string): Bus {
  return {
    node,
    isShared: false,
    isConnected: true,
    publish: assertTopic,
    subscribe: () => nothing,
    ask: async () => [],
    answer: () => nothing,
    onConnection: () => nothing,
    check: async () => undefined,
    close: async () => undefined,
  };
}
