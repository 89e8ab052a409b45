import { globSync, readdirSync, readFileSync } from 'node:fs';

const folder = 'docs/decisions/';
const decisions = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

/** What is wrong with the text of a decision. */
const faultsOf = (text: string): string[] => {
  const lines = text.trimEnd().split('\n');
  const parts = [...text.matchAll(/^\*\*(Context|Decision|Consequences)\.\*\*/gm)].map(([, part]) => part);
  return [
    ...(lines.length > 25 ? [`${lines.length} lines`] : []),
    ...(lines.some((line) => line.length > 160 && !line.includes('](')) ? ['a line of more than 160 characters'] : []),
    ...(parts.join() === 'Context,Decision,Consequences' ? [] : [`parts ${parts}`]),
    ...(/^\|/m.test(text) ? ['a table: measurements belong to bench/notes'] : []),
  ];
};

describe('a decision says context, decision and consequences in at most 25 lines', () => {
  it.each(decisions)('%s', (name) => expect(faultsOf(readFileSync(folder + name, 'utf8'))).toEqual([]));

  it('a planted violation is found', () =>
    expect(faultsOf(`# A\n\n**Decision.** B\n\n| a |\n${'c'.repeat(161)}\n${'\n'.repeat(30)}.`)).toEqual([
      '37 lines',
      'a line of more than 160 characters',
      'parts Decision',
      'a table: measurements belong to bench/notes',
    ]));
});

/** Lines of prose that are too long; tables, headings, pictures, links and blocks of code may be. */
const longLinesOf = (text: string): string[] => {
  let isCode = false;
  return text.split('\n').filter((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return !isCode && line.length > 160 && !/^\s*[|#<!]/.test(line) && !line.includes('](') && line.includes(' ');
  });
};

it('no line of prose has more than 160 characters', () => {
  const pages = globSync(['*.md', 'docs/**/*.md']).filter((page) => page !== 'CHANGELOG.md');
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => longLinesOf(readFileSync(page, 'utf8')).length > 0)).toEqual([]);
  expect(longLinesOf(`${'a '.repeat(81)}\n| ${'b '.repeat(81)}|\n\`\`\`sh\n${'c '.repeat(81)}\n\`\`\``)).toHaveLength(
    1,
  );
});
