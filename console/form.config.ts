import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The script at /form.js, which pages of customers load. */
export default defineConfig({
  root: here('.'),
  build: {
    target: 'es2022',
    copyPublicDir: false,
    lib: {
      entry: here('../sdk/src/form/form-script.ts'),
      formats: ['iife'],
      name: 'signalpost',
      fileName: () => 'form.js',
    },
    reportCompressedSize: false,
  },
});
