/** Pools of the driver, none of whose clients is ever without a listener for errors. */
import pg from "pg";

/**
 * Creates a pool. The driver removes its own listener from a client before the caller receives it, and an error
 * without a listener ends the process. Users of a failed client get the error from the next statement.
 */
export function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("connect", (client) => client.on("error", () => undefined));
  // An idle connection that died: the pool has dropped it already, the next caller gets a new one.
  pool.on("error", () => undefined);
  return pool;
}
