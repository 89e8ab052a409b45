/** What the two test files of runner.test.ts have that never end: each has started a process. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

export function waits(): void {
  it('waits', async () => {
    const child = spawn('sleep', ['infinity']);
    appendFileSync(process.env.NOTES!, `${process.ppid} ${process.pid} ${child.pid}\n`);
    await new Promise(() => {});
  });
}
