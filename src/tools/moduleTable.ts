/** The table of the modules in docs/architecture.md, from their pages. */
import { readdirSync, readFileSync } from 'node:fs';

/** What follows `**Name**: ` in a page, up to the next item. */
function itemOf(page: string, name: string): string {
  const [, after = ''] = page.split(`**${name}**: `);
  const [item = ''] = after.split(/\n- |\n\n|\. \*\*/, 1);
  return item.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** @param folder `src/modules`, with a slash at its end */
export function moduleTable(folder: URL): string {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const rows = names.map((name) => {
    const page = readFileSync(new URL(`${name}/README.md`, folder), 'utf8');
    const purpose = page.split('\n')[2]!.replace(/\.$/, '');
    return `| [\`${name}\`](../src/modules/${name}/README.md) | ${purpose} | ${itemOf(page, 'Needs')} | ${itemOf(page, 'Off')} |`;
  });
  return ['| module | what it does | needs | off |', '|---|---|---|---|', ...rows].join('\n');
}
