import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [react()],
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
