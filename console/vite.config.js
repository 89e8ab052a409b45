/** How the console is built: for every BASE_PATH, without anything inline, so that it runs under the strictest CSP. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  logLevel: 'warn',
  build: {
    target: 'es2023',
    // light-dark() and nesting stay as they are written
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 450,
    emptyOutDir: true,
    // which file imports which: the budget is counted by it (test/modules/console/budget.test.ts)
    manifest: true,
    rolldownOptions: {
      output: {
        // fewer and larger files are smaller in sum: what every page has, and what lists are made of
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules.(?!.*(query|virtual))|src.(session|kept|graph|grantEnd|entities.endOfDay|openingStates|operations.generated.session|ui.icons)\.tsx?$/,
            },
            {
              name: 'list',
              test: /node_modules.*virtual|src.(pages|filters|readToEnd)\.ts$|src.ui.(List|Row|SaveCsv|Segm|Sel|Sort|Badge|Managed|NewLink|places|columns|rowKeys|useSel)/,
            },
          ],
          includeDependenciesRecursively: false,
        },
      },
      // 'use client' means something to servers alone, and there is none here
      onLog: (level, log, tell) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && tell(level, log),
    },
  },
});
