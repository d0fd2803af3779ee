import { Html, html } from './html.ts';
import { callsByTag, type OpenApi } from './open-api.ts';
import { operationSection } from './operation-section.ts';

/** The whole reference as one page without external resources, readable without scripts. */
export function referencePage(document: OpenApi, style: string, script: string): string {
  const groups = [...callsByTag(document)];
  const { title, version, description } = document.info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p class="brand">${title} <span>${version}</span></p>
<form id="key-form" hidden><label for="key">Your key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sp_prd_…"><span class="note">stays in this page; gone when you leave it</span></form></header>
<div class="layout">
<nav aria-label="Endpoints"><details open><summary>Endpoints</summary>${groups.map(
    ([tag, calls]) =>
      html`<h2>${tag}</h2><ul>${calls.map(
        ({ method, operation }) =>
          html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary}</a></li>`,
      )}</ul>`,
  )}</details></nav>
<main id="content">
<h1>${title} API reference</h1>
<p>${description} The same as a document for programs: <a href="openapi.json">openapi.json</a>.</p>
${conventions}
${groups.map(([tag, calls]) => html`<h2 class="group">${tag}</h2>${calls.map(operationSection)}`)}
</main></div>
<script>${new Html(script)}</script>
</body></html>
`.text;
}

const conventions = html`<section class="conventions" aria-label="Conventions">
<h2>Before the first call</h2>
<p>Every call carries a key. It says whose call it is, and which environment it belongs to: <code>production</code>, <code>staging</code> or <code>development</code>, each with its own blocklist, gates and log.</p>
<pre tabindex="0" role="region" aria-label="Setting up a shell"><code>URL=<span id="origin">http://127.0.0.1:8080</span>
KEY=sp_prd_…
curl -H "Authorization: Bearer $KEY" "$URL/status"</code></pre>
<ul>
<li><strong>Bodies</strong> are JSON, sent as <code>application/json</code>, at most 1 MB.</li>
<li><strong>Unknown is <code>null</code></strong>, never <code>false</code>: a lookup that failed or is not finished decides nothing. A field marked Pro is absent on other plans.</li>
<li><strong>Values in a path</strong> are percent-encoded: <code>/email/jane%40example.com</code>. A raw <code>@</code> or <code>+</code> is understood, too.</li>
<li><strong>Every answer</strong> carries <code>X-Request-Id</code>; quote it when you report a problem. Answers to a known key carry <code>X-RateLimit-Limit</code> and <code>X-RateLimit-Remaining</code>, in requests a second.</li>
<li><strong>Credits:</strong> a domain or email lookup costs 1, a decision 1, or 3 with an IP address. Only a successful answer is charged.</li>
<li><strong>429:</strong> wait as <code>Retry-After</code> says. Without that header the month's credits are used up, and waiting does not help. <strong>500, 502, 503, 504:</strong> try again with growing pauses, if the call is safe to repeat.</li>
</ul></section>`;
