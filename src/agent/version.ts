/** The agent's version from package.json; a constant because the bundle has no package.json. */
export const agentVersion = "0.2.0";
