import { readdirSync, readFileSync } from 'node:fs';

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
