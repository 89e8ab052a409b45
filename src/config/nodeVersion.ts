/** Checks the version of Node. Imports nothing, because an old Node may fail to load the rest. */

/** Major and minor version, as in `engines` of package.json. */
const needed = [22, 17] as const;

/** Returns a sentence about a Node version that is too old, and how to fix it; undefined if it is new enough. */
export function nodeFault(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return `This is Node ${version}, but Gatehouse needs ${needed.join('.')} or later: npm ci brings one, so start by npm start and bin/gatehouse, or install Node 24.`;
}
