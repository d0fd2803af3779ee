import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFonts } from './preload-fonts.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The libraries and what the shell needs. */
const isFirst =
  /node_modules\/(react|react-dom|scheduler|wouter|@tanstack)\/|rolldown\/runtime|console\/src\/(api\/(environment|outage|query-client|request|session|session-state)\.|pages\/(all|not-found)|shell\/(?!palette|shortcuts-help)|text\/(numbers|problems|times)\.|ui\/(base|button|card|choice|chunk|error-boundary|fonts|icon|page|pill|problem|skeleton|toast|tokens))/;

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
    // Few files: one style sheet, the code of the shell, of the overview, of the gates and of all other pages; what is not shown loads
    // while the first page is read.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A group takes a module together with what it imports, and earlier groups come first.
            { name: 'first', test: isFirst },
            { name: 'overview', test: /console\/src\/pages\/overview/ },
            {
              name: 'pages',
              test: /console\/src\/(api|custom-lists|text|trace|ui|pages\/(?!all|gates|overview|sign-in|not-found))/,
            },
            { name: 'gates', test: /console\/src\/(gate-editor\/(?!rules\/field-picker)|pages\/gates)/ },
            { name: 'combobox', test: /\/(field-picker|palette)\.tsx$/ },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': process.env.SIGNALPOST_URL ?? 'http://127.0.0.1:8080' } },
});
