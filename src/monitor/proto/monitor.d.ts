// Made by `npm run proto` from proto/monitor/v1/monitor.proto. Do not edit.
import * as $protobuf from "protobufjs";

export namespace monitor {

    namespace v1 {

        interface IAgentMessage extends monitor.v1.AgentMessage.$Properties {
        }

        class AgentMessage {
            constructor(properties?: monitor.v1.AgentMessage.$Properties);
            $unknowns?: Uint8Array[];
            hello?: (monitor.v1.Hello.$Properties|null);
            heartbeat?: (monitor.v1.Heartbeat.$Properties|null);
            metrics?: (monitor.v1.MetricsReport.$Properties|null);
            payload?: ("hello"|"heartbeat"|"metrics");
            static encode(message: monitor.v1.AgentMessage.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.AgentMessage & monitor.v1.AgentMessage.$Shape;
        }

        namespace AgentMessage {
            interface $Properties {
                hello?: (monitor.v1.Hello.$Properties|null);
                heartbeat?: (monitor.v1.Heartbeat.$Properties|null);
                metrics?: (monitor.v1.MetricsReport.$Properties|null);
                payload?: ("hello"|"heartbeat"|"metrics");
                $unknowns?: Uint8Array[];
            }
            type $Shape = {
              hello?: monitor.v1.Hello.$Shape|null;
              heartbeat?: monitor.v1.Heartbeat.$Shape|null;
              metrics?: monitor.v1.MetricsReport.$Shape|null;
              $unknowns?: Uint8Array[];
            } & (
              ({ payload?: undefined; hello?: null; heartbeat?: null; metrics?: null }|{ payload?: "hello"; hello: monitor.v1.Hello.$Shape; heartbeat?: null; metrics?: null }|{ payload?: "heartbeat"; hello?: null; heartbeat: monitor.v1.Heartbeat.$Shape; metrics?: null }|{ payload?: "metrics"; hello?: null; heartbeat?: null; metrics: monitor.v1.MetricsReport.$Shape })
            );
        }

        interface IHello extends monitor.v1.Hello.$Properties {
        }

        class Hello {
            constructor(properties?: monitor.v1.Hello.$Properties);
            $unknowns?: Uint8Array[];
            serverId: string;
            agentKey: string;
            hostname: string;
            static encode(message: monitor.v1.Hello.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.Hello & monitor.v1.Hello.$Shape;
        }

        namespace Hello {
            interface $Properties {
                serverId?: (string|null);
                agentKey?: (string|null);
                hostname?: (string|null);
                $unknowns?: Uint8Array[];
            }
            type $Shape = monitor.v1.Hello.$Properties;
        }

        interface IHeartbeat extends monitor.v1.Heartbeat.$Properties {
        }

        class Heartbeat {
            constructor(properties?: monitor.v1.Heartbeat.$Properties);
            $unknowns?: Uint8Array[];
            static encode(message: monitor.v1.Heartbeat.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.Heartbeat & monitor.v1.Heartbeat.$Shape;
        }

        namespace Heartbeat {
            interface $Properties {
                $unknowns?: Uint8Array[];
            }
            type $Shape = monitor.v1.Heartbeat.$Properties;
        }

        interface IMetricsReport extends monitor.v1.MetricsReport.$Properties {
        }

        class MetricsReport {
            constructor(properties?: monitor.v1.MetricsReport.$Properties);
            $unknowns?: Uint8Array[];
            payloadJson: string;
            collectedAtUnixMs: number;
            static encode(message: monitor.v1.MetricsReport.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.MetricsReport & monitor.v1.MetricsReport.$Shape;
        }

        namespace MetricsReport {
            interface $Properties {
                payloadJson?: (string|null);
                collectedAtUnixMs?: (number|null);
                $unknowns?: Uint8Array[];
            }
            type $Shape = monitor.v1.MetricsReport.$Properties;
        }

        interface IControlMessage extends monitor.v1.ControlMessage.$Properties {
        }

        class ControlMessage {
            constructor(properties?: monitor.v1.ControlMessage.$Properties);
            $unknowns?: Uint8Array[];
            ack?: (monitor.v1.Ack.$Properties|null);
            payload?: "ack";
            static encode(message: monitor.v1.ControlMessage.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.ControlMessage & monitor.v1.ControlMessage.$Shape;
        }

        namespace ControlMessage {
            interface $Properties {
                ack?: (monitor.v1.Ack.$Properties|null);
                payload?: "ack";
                $unknowns?: Uint8Array[];
            }
            type $Shape = {
              ack?: monitor.v1.Ack.$Shape|null;
              $unknowns?: Uint8Array[];
            } & (
              ({ payload?: undefined; ack?: null }|{ payload?: "ack"; ack: monitor.v1.Ack.$Shape })
            );
        }

        interface IAck extends monitor.v1.Ack.$Properties {
        }

        class Ack {
            constructor(properties?: monitor.v1.Ack.$Properties);
            $unknowns?: Uint8Array[];
            message: string;
            static encode(message: monitor.v1.Ack.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): monitor.v1.Ack & monitor.v1.Ack.$Shape;
        }

        namespace Ack {
            interface $Properties {
                message?: (string|null);
                $unknowns?: Uint8Array[];
            }
            type $Shape = monitor.v1.Ack.$Properties;
        }
    }
}
