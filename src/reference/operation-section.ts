import { bodyFields, parameterFields } from './fields.ts';
import { type Html, html, none, prose } from './html.ts';
import type { Call, Operation } from './open-api.ts';
import { callSample, codeBlock, decisionSample } from './sample.ts';
import { tryItForm } from './try-it-form.ts';

/** Everything about one operation. */
export function operationSection(call: Call): Html {
  const { method, path, operation } = call;
  const body = operation.requestBody?.content?.['application/json'];
  return html`<section class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title"><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>${
    operation['x-plan'] === 'pro' ? html` <span class="plan">Pro</span>` : none
  }</p>
${operation.description === undefined ? none : html`<p>${prose(operation.description)}</p>`}
<div class="columns"><div>
${operation.parameters.length === 0 ? none : html`<h4>Parameters</h4>${parameterFields(operation.parameters)}`}
${body === undefined ? none : html`<h4>Body</h4>${bodyFields(body.schema, 'sent')}`}
${responseFields(operation)}
</div><div>
<h4>Example</h4>
${callSample(call)}
${responseExample(operation)}
${decisionSample(call)}
${tryItForm(call)}
</div></div>
${errors(operation)}
</section>
`;
}

function success({ responses }: Operation) {
  const status = Object.keys(responses).find((one) => one.startsWith('2')) ?? '200';
  return { status, json: responses[status]?.content?.['application/json'] };
}

function responseFields(operation: Operation): Html {
  const { status, json } = success(operation);
  if (json === undefined) return html`<h4>Response</h4><p>${status}, without a body.</p>`;
  return html`<h4>Response</h4><details open><summary>Fields</summary>${bodyFields(json.schema, 'answered')}</details>`;
}

function responseExample(operation: Operation): Html {
  const { status, json } = success(operation);
  const text = json?.example === undefined ? '' : JSON.stringify(json.example, null, 2);
  return html`<p class="status">${status}</p>${text === '' ? none : codeBlock(text, `${operation.summary}: the response`)}`;
}

function errors({ responses, summary }: Operation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) =>
      Object.entries(content?.['application/json'].examples ?? {}).map(
        ([code, { summary: sentence, value }]) =>
          html`<tr><td>${status}</td><td><code>${code}</code><br>${sentence}</td><td><code>${JSON.stringify(value)}</code></td></tr>`,
      ),
    );
  return html`<details class="errors"><summary>Errors (${rows.length})</summary>
<div class="wide" tabindex="0" role="region" aria-label="${summary}: errors"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Reason</th><th scope="col">Body</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}
