import type { Endpoint } from '../http/endpoint.ts';
import { type Html, html, none } from './html.ts';
import type { Call, OpenApi } from './open-api.ts';
import { operationSection } from './operation-section.ts';
import { codeBlock, exampleUrl } from './sample.ts';

/** The content of the reference: every operation, the events of webhooks and the tools of agents. */
export function referenceContent(
  { info }: OpenApi,
  sections: ReadonlyMap<string, readonly Call[]>,
  endpoints: readonly Endpoint[],
): Html {
  return html`<h1>${info.title} API reference</h1>
<p>${info.description} New here? Start with the <a href="docs/quick-start">quick start</a>. The same as a document for programs: <a href="openapi.json">openapi.json</a>.</p>
${conventions}
${[...sections].map(
  ([title, calls]) =>
    html`<h2 class="group" id="${anchorOf(title)}">${title}</h2>${introductions[title] ?? none}${title === 'Webhooks' ? events(calls) : none}${calls.map(operationSection)}`,
)}
${mcp(endpoints)}`;
}

const anchorOf = (title: string): string => `section-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;

const introductions: Readonly<Record<string, Html>> = {
  Gates: html`<p>Ordered rules that turn signals into a decision. Guides: <a href="docs/gates">rules, fields and operators</a>, <a href="docs/client">handling a decision in your form</a>.</p>`,
  Waves: html`<p>Sign-ups that arrive together and share a value. Guide: <a href="docs/waves">waves</a>.</p>`,
  Outcomes: html`<p>What became of a decision, reported by your application. Guide: <a href="docs/outcomes">outcomes</a>.</p>`,
};

/** The events, as the schema of a webhook lists them. */
function events(calls: readonly Call[]): Html {
  const create = calls.find(({ operation }) => operation.operationId === 'createWebhook');
  const schema = create?.operation.requestBody?.content?.['application/json'].schema;
  const types = schema?.properties?.events?.items?.enum ?? [];
  return html`<p>The service sends signed <code>POST</code> requests to your URL. Payloads, signatures and retries are in the <a href="docs/webhooks">guide to webhooks</a>. Events:</p>
<ul class="plain">${types.map((type) => html`<li><code>${String(type)}</code></li>`)}</ul>`;
}

/** The endpoints that are tools, as agents see them. */
function mcp(endpoints: readonly Endpoint[]): Html {
  const rows = endpoints.flatMap(({ tool, operationId, summary }) =>
    tool === undefined
      ? []
      : [
          html`<tr><td><code>${tool.name}</code></td><td>${tool.access}</td><td><a href="#${operationId}">${summary}</a></td></tr>`,
        ],
  );
  if (rows.length === 0)
    return html`<h2 class="group" id="mcp">MCP</h2><p>The MCP server is off (<code>MCP=off</code>).</p>`;
  return html`<h2 class="group" id="mcp">MCP</h2>
<p>Agents call the same operations as tools of the Model Context Protocol at <code>/mcp</code>, with the same keys. Tools that write need the header <code>Gates-Mode: write</code>. Set-up and examples are in the <a href="docs/mcp">guide to MCP</a>.</p>
<div class="wide" tabindex="0" role="region" aria-label="MCP tools"><table>
<thead><tr><th scope="col">Tool</th><th scope="col">Access</th><th scope="col">Operation</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const conventions = html`<section class="conventions" aria-label="Conventions">
<h2>Before the first call</h2>
<p>Every call carries a key. It names the account and one environment: <code>production</code>, <code>staging</code> or <code>development</code>, each with its own blocklist, gates and log.</p>
${codeBlock(`export SIGNALPOST_KEY=sp_prd_…\ncurl -H "Authorization: Bearer $SIGNALPOST_KEY" ${exampleUrl}/status`, 'The first call')}
<ul>
<li><strong>Bodies</strong> are JSON, sent as <code>application/json</code>, at most 1 MB.</li>
<li><strong>Unknown is <code>null</code></strong>, never <code>false</code>: a lookup that failed or is not finished decides nothing. A field marked Pro is absent on other plans.</li>
<li><strong>Values in a path</strong> are percent-encoded: <code>/email/jane%40example.com</code>. A raw <code>@</code> or <code>+</code> is accepted, too.</li>
<li><strong>Every response</strong> has <code>X-Request-Id</code>; quote it when you report a problem. Responses to a known key have <code>X-RateLimit-Limit</code> and <code>X-RateLimit-Remaining</code>, in requests a second.</li>
<li><strong>Credits:</strong> a domain or email lookup costs 1, a decision 1, or 3 with an IP address. Only successful responses are charged.</li>
<li><strong>429:</strong> wait as <code>Retry-After</code> says. Without that header the month's credits are used up, and waiting does not help. <strong>500, 502, 503, 504:</strong> retry with backoff, if the call is safe to repeat.</li>
</ul></section>`;
