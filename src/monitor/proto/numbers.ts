/**
 * Makes protobufjs read int64 fields as plain numbers. `--force-number` changes only the types; the
 * reader goes on making Long objects as long as it finds that class. monitor.js imports this first,
 * because its defaults are fixed while it loads.
 */
import protobuf from "protobufjs/minimal.js";

Object.assign(protobuf.util, { Long: null });
protobuf.configure();
