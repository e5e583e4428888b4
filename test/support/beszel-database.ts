/**
 * A database of Beszel 0.18: the columns of its migration (`0_collections_snapshot_0_19_0_dev_1.go`), with the types that
 * PocketBase gives each kind of field, in the order of their names, and rows of a small fleet.
 */

const text = "TEXT DEFAULT '' NOT NULL";
const number = "NUMERIC DEFAULT 0 NOT NULL";
const id = "`id` TEXT PRIMARY KEY DEFAULT ('r'||lower(hex(randomblob(7)))) NOT NULL";

/** Statements for the program sqlite3. */
export const beszelDatabase = `
CREATE TABLE \`users\` (\`created\` ${text}, \`email\` ${text}, ${id}, \`password\` ${text}, \`role\` ${text}, \`tokenKey\` ${text});
CREATE TABLE \`systems\` (\`created\` ${text}, \`host\` ${text}, ${id}, \`info\` JSON DEFAULT NULL, \`name\` ${text},
  \`port\` ${text}, \`status\` ${text}, \`updated\` ${text}, \`users\` JSON DEFAULT '[]' NOT NULL);
CREATE INDEX \`idx_systems_status\` ON \`systems\` (\`status\`);
CREATE TABLE \`alerts\` (\`created\` ${text}, ${id}, \`min\` ${number}, \`name\` ${text}, \`system\` ${text},
  \`triggered\` BOOLEAN DEFAULT FALSE NOT NULL, \`updated\` ${text}, \`user\` ${text}, \`value\` ${number});
CREATE UNIQUE INDEX \`idx_MnhEt21L5r\` ON \`alerts\` (
  \`user\`,
  \`system\`,
  \`name\`
);
INSERT INTO users (id, email, password) VALUES ('usr000000000001', 'owner@example.org', '$2a$10$secret');
INSERT INTO systems (id, name, host, port, status, info, users) VALUES
  ('sys000000000001', 'web-1', '10.0.0.5', '45876', 'up', '{"h":"web-1","cpu":3.2,"v":"0.18.4"}', '["usr000000000001"]'),
  ('sys000000000002', 'Küche 夜', 'fd00::7', '45876', 'down', NULL, '["usr000000000001"]'),
  ('sys000000000003', 'nas', '/beszel_socket/beszel.sock', '', 'paused', NULL, '[]');
INSERT INTO alerts (id, user, system, name, value, min) VALUES
  ('alr000000000001', 'usr000000000001', 'sys000000000001', 'Status', 0, 10),
  ('alr000000000002', 'usr000000000001', 'sys000000000001', 'CPU', 80, 10),
  ('alr000000000003', 'usr000000000001', 'sys000000000002', 'CPU', 80, 10),
  ('alr000000000004', 'usr000000000001', 'sys000000000002', 'LoadAvg5', 7.5, 1),
  ('alr000000000005', 'usr000000000001', 'sys000000000003', 'Temperature', 65, 5);
`;
