/**
 * Options of V8 and permissions of Deno for every way of starting the services. Reasons and figures:
 * docs/decisions/092-options-of-v8.md. `npm run start-options` writes them to the files that cannot import them.
 */

/** How far the old generation may grow between two full collections, in percent of what is alive. */
const HEAP_GROWTH = "--heap-growing-percent=15";

/** Node's, on its command line: V8 reads them before the first script. */
export const nodeOptions: readonly string[] = [
  "--max-semi-space-size=32",
  "--v8-pool-size=0",
  "--no-allocation-site-pretenuring",
  "--no-incremental-marking-task",
  "--incremental-marking-hard-trigger=60",
];

/** Node's, set by the program itself: the command line of Node 20 does not take it. */
export const lateNodeOption: string = HEAP_GROWTH;

const denoOptions = [HEAP_GROWTH, "--max-semi-space-size=32"];

/** Deno's for the child that serves gRPC: it keeps next to nothing, and V8's own rules let its garbage grow to 350 MB. */
export const grpcChildOptions: readonly string[] = ["--max-semi-space-size=4", "--heap-growing-percent=30"];

/** The agent's single file: 24 hours of reports take a few MB, and without the optimizing compiler it needs 8 MB less. */
export const agentOptions: readonly string[] = [
  "--max-semi-space-size=1",
  "--max-old-space-size=96",
  "--lite-mode",
];

/** Variables that packages read beside those of the configuration. */
const packageVariables: readonly string[] = [
  // pg, whose settings may come from libpq's
  ...["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE", "PGBINARY", "PGOPTIONS", "PGSSLMODE"],
  ...["PGSSLNEGOTIATION", "PGCLIENT_ENCODING", "PGREPLICATION", "PGAPPNAME", "PGCONNECT_TIMEOUT"],
  ...["PGPASSFILE", "USER", "USERNAME", "NODE_PG_FORCE_NATIVE"],
  // systemd's, read by kit/observe
  ...["JOURNAL_STREAM", "NOTIFY_SOCKET", "WATCHDOG_USEC"],
  // ws
  ...["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"],
  // Deno's Node layer
  ...["NODE_V8_COVERAGE", "NODE_USE_SYSTEM_CA"],
  // @node-rs
  ...["NAPI_RS_NATIVE_LIBRARY_PATH", "NAPI_RS_WASI_FLAVOR", "NAPI_RS_FORCE_WASI"],
  "NAPI_RS_ENFORCE_VERSION_CHECK",
  // sharp
  ...["npm_package_config_libvips", "MALLOC_ARENA_MAX"],
];

/**
 * Arguments of `deno run` for the services.
 * @param variables of the configuration, which the program may read
 */
export function toDenoArguments(variables: readonly string[]): readonly string[] {
  const all = new Set([...variables, ...packageVariables]);
  return [
    `--v8-flags=${denoOptions.join(",")}`,
    "--no-prompt",
    "--no-remote",
    "--allow-net",
    // How C libraries differ, for packages with binaries.
    "--allow-read=.,/usr/bin/ldd",
    "--allow-ffi=./node_modules/@node-rs,./node_modules/@img",
    "--allow-sys=cpus,ca,statfs",
    "--allow-write=./data,./backups",
    `--allow-env=${[...all].join(",")}`,
    // The child that serves gRPC, and backups, run the same Deno.
    "--allow-run=$(deno eval 'console.log(Deno.execPath())')",
  ];
}
