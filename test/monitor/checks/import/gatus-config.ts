/** A configuration of Gatus as people have it. */
export const gatusConfig = `
storage:
  type: sqlite
  path: /data/data.db
alerting:
  slack:
    webhook-url: "https://hooks.slack.example/services/secret"
    default-alert:
      failure-threshold: 5

default-endpoint: &defaults
  group: core
  interval: 5m
  client:
    timeout: 5s
  alerts:
    - type: slack
      failure-threshold: 4

endpoints:
  - name: front-end
    <<: *defaults
    url: "https://twin.sh/health"
    headers:
      X-Key: \${API_KEY}
    conditions:
      - "[STATUS] == 200"
      - "[BODY].status == UP"
      - "[RESPONSE_TIME] < 500"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[BODY].count > 3"
      - "[HEADER].Server == nginx"

  - name: many-statuses
    <<: *defaults
    url: http://example.org/
    conditions:
      - "[STATUS] >= 200"
      - "[STATUS] < 400"
      - "[STATUS] != 301"
      - "[BODY] == pat(*Example Domain*)"
      - "[BODY] != pat(*error*)"

  - name: any-status
    url: https://example.org/
    enabled: false
    graphql: true
    body: "{ users { id } }"
    method: POST
    client:
      insecure: true
      ignore-redirect: true
      oauth2:
        token-url: https://example.org/token
    conditions:
      - "[STATUS] == any(200, 204, 429)"
      - "has([BODY].data) == true"
    extra-labels:
      environment: staging

  - name: dns
    url: "8.8.8.8"
    dns:
      query-name: "example.org"
      query-type: "A"
    conditions:
      - "[BODY] == 93.184.215.14"
      - "[DNS_RCODE] == NOERROR"

  - name: closed-port
    url: tcp://db.example.org:5432
    conditions:
      - "[CONNECTED] == false"

  - name: certificate
    url: tls://mail.example.org:993
    conditions:
      - "[CONNECTED] == true"
      - "[CERTIFICATE_EXPIRATION] > 240h"

  - name: ping
    url: icmp://192.0.2.7
    interval: 10s
    conditions:
      - "[CONNECTED] == true"

  - name: udp
    url: udp://192.0.2.7:53
    conditions:
      - "[CONNECTED] == true"

  - name: domain
    url: "https://example.org"
    conditions:
      - "[DOMAIN_EXPIRATION] > 720h"

external-endpoints:
  - name: backup
    group: jobs
    token: "potato"
    heartbeat:
      interval: 30m
  - name: pushed
    token: "potato"
`;
