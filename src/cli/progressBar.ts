/** A progress bar on standard error, when that is a terminal. */

interface ProgressBar {
  show(done: number, total: number): void;
  /** Takes the bar away. */
  clear(): void;
}

const width = 40;

export function openProgressBar(
  terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): ProgressBar {
  let shown = '';
  return {
    show(done, total) {
      if (!terminal.isTTY || total === 0) return;
      const full = Math.floor((done / total) * width);
      const bar = `\r[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor((done / total) * 100)} %`;
      if (bar !== shown) terminal.write(bar);
      shown = bar;
    },
    clear() {
      if (shown) terminal.write(`\r${' '.repeat(shown.length)}\r`);
      shown = '';
    },
  };
}
