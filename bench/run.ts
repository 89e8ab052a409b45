/** `npm run bench -- NAME` runs the benchmark of that name; without a name, all. */
const names = ['token', 'graph', 'operations'];
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : names) {
  const { run } = (await import(`./${name}.js`)) as { run(): Promise<void> };
  await run();
}
