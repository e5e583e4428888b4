/** A bus inside one process over which several "nodes" meet, with wires between them that can be cut. */
import type { Bus } from "../../src/bus/bus.ts";
import { type BusOptions, type Wire, createWireBus } from "../../src/bus/wire.ts";

type Listener = (bytes: Uint8Array) => void;

class LocalWire implements Wire {
  readonly #others: () => readonly LocalWire[];
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #watchers = new Set<(isConnected: boolean) => void>();
  isConnected = true;
  /** Connected, and heard by no one: its server of the bus does not reach the others'. */
  isParted = false;

  constructor(others: (self: LocalWire) => readonly LocalWire[]) {
    this.#others = () => others(this);
  }

  send(name: string, bytes: Uint8Array): void {
    if (!this.isConnected || this.isParted) return;
    for (const other of this.#others()) setImmediate(() => other.#take(name, bytes));
  }

  listen(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.#watchers.add(listener);
    return () => {
      this.#watchers.delete(listener);
    };
  }

  setConnected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const watcher of this.#watchers) watcher(isConnected);
  }

  async close(): Promise<void> {
    this.isConnected = false;
    this.#listeners.clear();
    this.#watchers.clear();
  }

  #take(name: string, bytes: Uint8Array): void {
    if (!this.isConnected || this.isParted) return;
    for (const listener of this.#listeners.get(name) ?? []) listener(bytes);
  }
}

/** A hub without nodes; `onFailure` gets the errors of listeners and answerers. */
export function createLocalHub(onFailure: BusOptions["onFailure"] = () => undefined) {
  const wires = new Map<string, LocalWire>();
  const others = (self: LocalWire): LocalWire[] => [...wires.values()].filter((wire) => wire !== self);
  return {
    /** A bus that reaches all others of the hub. */
    join: (node: string): Bus => {
      const wire = new LocalWire(others);
      wires.set(node, wire);
      return createWireBus({ node, wire, onFailure });
    },
    /** While cut, nothing reaches this node and nothing leaves it. */
    setConnected: (node: string, isConnected: boolean): void => wires.get(node)?.setConnected(isConnected),
    /** The same, and the node does not notice. */
    part: (node: string): void => {
      const wire = wires.get(node);
      if (wire !== undefined) wire.isParted = true;
    },
  };
}

/** Several nodes in one process, and wires between them that can be cut. */
export type LocalHub = ReturnType<typeof createLocalHub>;
