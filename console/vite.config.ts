import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Preloads the fonts, so that they are there when the first text is painted. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/console/${name}`, crossorigin: true },
          injectTo: 'head',
        })),
  },
};

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
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/api': process.env.SIGNALPOST_URL ?? 'http://127.0.0.1:8080' } },
});
