/** The checkers of docs/clients agree with the service on what a wildcard covers, in each language. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { covers } from '../../src/services/access/scopeEntry.js';
import { pageOf } from '../support/clientWorld.js';
import { closeAtEnd } from '../support/lifetimes.js';

const section = /^## Wildcards\n(.*)/ms.exec(pageOf('README.md'))![1]!;
const inSection = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)![1]!;
/** As it stands on the pages. */
const codeOf: Record<string, () => string> = {
  csharp: () => inSection('csharp'),
  java: () => /^\/\/ keys\/Scopes\.java\npackage keys;\n(.*?)^```/ms.exec(pageOf('java.md'))![1]!,
  go: () => `package main\n\nimport "strings"\n\n${/^func covers\(.*?^\}\n/ms.exec(pageOf('go.md'))![0]}`,
};
const run = promisify(execFile);

const cases: [scopes: string[], scope: string][] = [
  [['site:north'], 'site:north'],
  [['site:*'], 'site:north'],
  [['tool:crane', 'site:*'], 'site:a:b'],
  [['site:*'], 'site:*'],
  [['site:north'], 'site:*'],
  [['site:north'], 'site:northern'],
  [['site:northern'], 'site:north'],
  [['sites:*'], 'site:north'],
  [['site:*'], 'sites:north'],
  [['*'], 'site:north'],
  [['*:*'], 'site:north'],
  [['SITE:*'], 'site:north'],
  [[], 'site:north'],
];
const expected = cases.map(([scopes, scope]) => covers(scopes, scope));
const texts = (scopes: readonly string[]) => scopes.map((scope) => `"${scope}"`).join(', ');

interface Language {
  name: string;
  /** The program that must be there. */
  tool: string;
  /** Of Debian. */
  packageName: string;
  files(code: string): Record<string, string>;
  commands: string[][];
}

const languages: Language[] = [
  {
    name: 'csharp',
    tool: '/usr/bin/mcs',
    packageName: 'mono-mcs',
    files: (code) => ({
      'Scopes.cs': code,
      'Program.cs': `class Program { static void Main() { ${cases
        .map(
          ([scopes, scope]) => `System.Console.WriteLine(Scopes.Covers(new string[] {${texts(scopes)}}, "${scope}"));`,
        )
        .join('\n')} } }`,
    }),
    commands: [
      ['/usr/bin/mcs', '-out:program.exe', 'Scopes.cs', 'Program.cs'],
      ['/usr/bin/mono', 'program.exe'],
    ],
  },
  {
    name: 'java',
    tool: '/usr/bin/javac',
    packageName: 'default-jdk-headless',
    files: (code) => ({
      'Scopes.java': code,
      'Program.java': `class Program { public static void main(String[] none) { ${cases
        .map(
          ([scopes, scope]) =>
            `System.out.println(Scopes.covers(java.util.List.<String>of(${texts(scopes)}), "${scope}"));`,
        )
        .join('\n')} } }`,
    }),
    commands: [
      ['/usr/bin/javac', 'Scopes.java', 'Program.java'],
      ['/usr/bin/java', 'Program'],
    ],
  },
  {
    name: 'go',
    tool: '/usr/bin/go',
    packageName: 'golang-go',
    files: (code) => ({
      'scopes.go': code,
      'program.go': `package main\nimport "fmt"\nfunc main() {\n${cases
        .map(([scopes, scope]) => `fmt.Println(covers([]string{${texts(scopes)}}, "${scope}"))`)
        .join('\n')}\n}\n`,
    }),
    commands: [['/usr/bin/go', 'run', 'scopes.go', 'program.go']],
  },
];

const missing = languages.filter(({ tool }) => !existsSync(tool));

for (const language of languages) {
  const itHere = missing.includes(language) ? it.skip : it;
  const note = missing.includes(language) ? ` (did not run: apt-get install ${language.packageName})` : '';
  itHere(`the checker in ${language.name} covers what the service does${note}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-wildcards-'));
    closeAtEnd(async () => rmSync(folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(language.files(codeOf[language.name]!())))
      writeFileSync(join(folder, name), text);
    const env = { PATH: process.env.PATH, HOME: folder, GO111MODULE: 'off', GOFLAGS: '-p=1' };
    let printed = '';
    for (const [program, ...given] of language.commands)
      printed = (await run(program!, given, { cwd: folder, env })).stdout;
    expect(
      printed
        .trim()
        .split('\n')
        .map((line) => line.trim().toLowerCase() === 'true'),
    ).toEqual(expected);
  });
}

it('the checker in JavaScript covers what the service does', () => {
  const [program] = inSection('js').split('\nconsole.log');
  const checker = new Function(`${program}; return covers;`)() as typeof covers;
  expect(cases.map(([scopes, scope]) => checker(scopes, scope))).toEqual(expected);
});
