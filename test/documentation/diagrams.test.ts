/** The diagrams of the documents are drawn by whoever shows Markdown: here they are read, where Mermaid is known to stop. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const diagrams = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```mermaid\n(.*?)^```/gms)].map(([, text]) => ({
    page,
    lines: text!.split('\n'),
  })),
);

it('no line of a diagram has a semicolon, which would end it, or a node that is named as a keyword is', () => {
  expect(diagrams.length).toBeGreaterThan(5);
  const broken = ({ lines }: { lines: string[] }) =>
    lines.filter((line) => /;|\b(graph|end|style|class|click)[[({]/.test(line));
  expect(diagrams.map((diagram) => [diagram.page, broken(diagram)]).filter(([, found]) => found!.length > 0)).toEqual(
    [],
  );
});
