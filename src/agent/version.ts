/** The agent's version, as it stands in package.json; a constant because the bundle has no package.json. */
export const agentVersion = "0.1.0";
