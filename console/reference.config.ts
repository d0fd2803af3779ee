import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { preloadFonts } from './preload-fonts.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The template of the reference at /docs, its script and its style, with the console's fonts and tokens. */
export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [preloadFonts],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    copyPublicDir: false,
    rolldownOptions: { input: here('reference.html') },
    reportCompressedSize: false,
  },
});
