/** A backup of Uptime Kuma 1.23 as people have it, and monitors of 2.x as its API gives them. */

const shared = {
  ...{
    weight: 2000,
    active: 1,
    maxretries: 3,
    interval: 60,
    retryInterval: 30,
    resendInterval: 0,
    timeout: 48,
  },
  ...{ keyword: null, invertKeyword: false, expiryNotification: false, ignoreTls: false, upsideDown: false },
  ...{ packetSize: 56, maxredirects: 10, accepted_statuscodes: ["200-299"], dns_resolve_type: "A" },
  ...{ dns_resolve_server: "1.1.1.1", dns_last_result: null, docker_container: "", docker_host: null },
  ...{ proxyId: null, notificationIDList: { "1": true }, tags: [], maintenance: false, mqttTopic: "" },
  ...{
    method: "GET",
    headers: null,
    body: null,
    basic_auth_user: null,
    basic_auth_pass: null,
    pushToken: null,
  },
  ...{ authMethod: null, grpcUrl: null, httpBodyEncoding: null, jsonPath: null, expectedValue: null },
  ...{ hostname: null, port: null, url: "https://", parent: null, description: null },
};

export const kumaBackup = {
  version: "1.23.16",
  notificationList: [{ id: 1, name: "Telegram", config: '{"telegramBotToken":"123:secret"}', active: true }],
  monitorList: [
    { ...shared, id: 1, type: "group", name: "Public" },
    {
      ...shared,
      ...{
        id: 2,
        type: "keyword",
        name: "Shop",
        url: "https://shop.example.org/?a=secret",
        keyword: "Welcome",
      },
      ...{ parent: 1, expiryNotification: true, description: "The front page", maxretries: 0 },
      tags: [
        { tag_id: 1, monitor_id: 2, value: "", name: "web", color: "#059669" },
        { tag_id: 2, monitor_id: 2, value: "gold", name: "tier", color: "#059669" },
      ],
    },
    {
      ...shared,
      ...{ id: 3, type: "http", name: "API", url: "https://api.example.org/v1", method: "POST" },
      ...{ headers: '{"X-Key":"k","Host":"inner.example"}', body: '{"a":1}', httpBodyEncoding: "json" },
      ...{ basic_auth_user: "anna", basic_auth_pass: "geheim", authMethod: "basic", ignoreTls: true },
      ...{ accepted_statuscodes: ["200-299", "401"], upsideDown: true, active: 0, proxyId: 3 },
    },
    {
      ...shared,
      id: 4,
      type: "port",
      name: "Database",
      hostname: "db.example.org",
      port: 5432,
      url: "https://",
    },
    { ...shared, id: 5, type: "ping", name: "Router", hostname: "192.0.2.1", interval: 20 },
    {
      ...shared,
      ...{ id: 6, type: "dns", name: "MX", hostname: "example.org", dns_resolve_type: "MX", port: 53 },
    },
    {
      ...shared,
      ...{
        id: 7,
        type: "push",
        name: "Backup",
        pushToken: "Zk3pQx81aB7cD0eF2gH4iJ6kL8mN0oPq",
        interval: 3600,
      },
    },
    { ...shared, id: 8, type: "push", name: "Old push", pushToken: "a1B2c3D4e5", maxretries: 0 },
    { ...shared, id: 9, type: "push", name: "Odd push", pushToken: "a b" },
    { ...shared, id: 10, type: "docker", name: "Container", docker_container: "web" },
    {
      ...shared,
      ...{ id: 11, type: "postgres", name: "Query" },
      databaseConnectionString: "postgres://user:secret@pg.example.org/shop",
    },
    { ...shared, id: 12, type: "steam", name: "Game", hostname: "game.example.org", port: 27015 },
  ],
};

/** 2.x: an object by ids. */
export const kumaMonitors = {
  "1": {
    ...shared,
    ...{ id: 1, type: "json-query", name: "Health", url: "https://example.org/health", active: true },
    ...{ jsonPath: "checks[0].state", jsonPathOperator: "==", expectedValue: "up", path: ["Health"] },
  },
  "2": {
    ...shared,
    ...{ id: 2, type: "json-query", name: "Sum", url: "https://example.org/health", active: true },
    ...{ jsonPath: "$sum(items.price)", jsonPathOperator: ">", expectedValue: "3" },
  },
  "3": {
    ...shared,
    ...{ id: 3, type: "dns", name: "A", hostname: "example.org", dns_resolve_server: "1.1.1.1,dns.example" },
    conditions: [
      { type: "expression", variable: "record", operator: "equals", value: "192.0.2.1", andOr: "and" },
      { type: "expression", variable: "record", operator: "contains", value: "x", andOr: "and" },
    ],
  },
};
