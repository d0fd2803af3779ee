import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curatedData } from '../files/package-files.ts';
import type { CallExamples } from '../http/openapi.ts';
import type { Page } from '../http/operation-routes.ts';
import { lazily } from '../platform/lazily.ts';
import type { OpenApi } from './open-api.ts';
import { referencePage } from './reference-page.ts';

/** The public pages: the OpenAPI document, and the reference generated from it. */
export function referencePages(openapi: () => object): Page[] {
  const style = lazily(() => asset('page.css'));
  const script = lazily(() => asset('try-it.js'));
  return [
    { path: '/openapi.json', type: 'application/json; charset=utf-8', text: () => JSON.stringify(openapi()) },
    {
      path: '/docs',
      type: 'text/html; charset=utf-8',
      headers: () => ({
        'content-security-policy': policy(style(), script()),
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      }),
      text: () => referencePage(openapi() as OpenApi, style(), script()),
    },
  ];
}

/** Recorded calls of the endpoints and their responses. */
export function readExamples(): CallExamples {
  return JSON.parse(asset('examples.json'));
}

/** The page may use only its own style and script, and connect only to this service. */
function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function asset(name: string): string {
  return readFileSync(join(curatedData, 'reference', name), 'utf8');
}
