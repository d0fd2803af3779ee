import type { Plugin } from 'vite';

/** Preloads the fonts, so that they are there when the first text is painted. */
export const preloadFonts: Plugin = {
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
