/** Which Node this needs. Imports nothing: it is asked before anything that a Node too old can't load. */

/** Major and minor, as `engines` in package.json says. */
const needed = [22, 17] as const;

/** What is wrong with this Node and how to fix it, in a sentence; nothing when it is new enough. */
export function nodeFault(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return `This is Node ${version}, but Gatehouse needs ${needed.join('.')} or later: npm ci brings one, so start by npm start and npx gatehouse, or install Node 24.`;
}
