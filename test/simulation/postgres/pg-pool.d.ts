declare module "pg-pool" {
  import type { EventEmitter } from "node:events";
  /** The driver's pool, over the clients that it is given. */
  export default class PgPool extends EventEmitter {
    constructor(config: object, client: new (config: object) => EventEmitter);
  }
}
