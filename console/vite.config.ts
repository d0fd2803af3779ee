import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFonts } from './preload-fonts.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The code of the shell and the overview. */
const isFirst =
  /node_modules\/(react|react-dom|scheduler|wouter|@tanstack)\/|rolldown\/runtime|sdk\/src\/|console\/src\/(api\/(client|environment|gates|lists|log|outage|overview|query-client|request|session|session-state)\.|pages\/(all|not-found)|shell\/(?!palette|shortcuts-help)|text\/(numbers|problems|times)\.|ui\/(?!chart|dialog\/shown|menu|sortable|switch))/;

export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [react(), preloadFonts],
  resolve: { alias: { '@signalpost/client': here('../sdk/src/index.ts') } },
  build: {
    outDir: here('dist'),
    // The page's policy allows no hashes and no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Few files: one style sheet, the code of the first page, and that of all other pages, which loads while the first is read.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A group takes a module together with what it imports, and earlier groups come first.
            { name: 'first', test: isFirst },
            {
              name: 'pages',
              test: /console\/src\/(gate-editor\/(?!rules\/field-picker)|trace|pages\/(?!all|overview|sign-in|not-found))/,
            },
            { name: 'combobox', test: /\/(field-picker|palette)\.tsx$/ },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': process.env.SIGNALPOST_URL ?? 'http://127.0.0.1:8080' } },
});
