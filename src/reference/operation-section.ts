import { bodyFields, parameterFields } from './fields.ts';
import { type Html, html, none, prose } from './html.ts';
import type { Call, Operation, Parameter } from './open-api.ts';
import { callSample, codeBlock, decisionSample } from './sample.ts';

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

/** A form that sends the request; hidden until the page's script shows it. */
function tryItForm({ method, path, operation }: Call): Html {
  const id = operation.operationId;
  const body = operation.requestBody?.content?.['application/json'].example;
  return html`<form class="try" hidden data-method="${method}" data-path="${path}" aria-label="Try: ${operation.summary}">
<details><summary>Try it</summary>
${method === 'GET' ? none : html`<p class="warning">This is a real call with the key above, and it may change data.</p>`}
${operation.parameters.map((parameter) => parameterInput(`${id}-${parameter.name}`, parameter))}
${
  operation.requestBody === undefined
    ? none
    : html`<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="6" spellcheck="false">${JSON.stringify(body ?? {}, null, 2)}</textarea>`
}
<button type="submit">Send</button>
<pre class="outcome" tabindex="0" role="status" hidden></pre>
</details></form>`;
}

function parameterInput(id: string, { name, required, in: place, schema, example = '' }: Parameter): Html {
  const common = html`id="${id}" name="${name}" data-in="${place}"`;
  if (schema.type === 'boolean') {
    const isOn = schema.default === true;
    return html`<label class="switch" for="${id}"><input ${common} type="checkbox" role="switch" data-default="${String(isOn)}"${isOn ? html` checked` : none}> ${name}</label>`;
  }
  const label = html`<label for="${id}">${name}</label>`;
  if (schema.enum !== undefined) {
    const options = schema.enum.map(
      (value) => html`<option${value === example ? html` selected` : none}>${String(value)}</option>`,
    );
    return html`${label}<select ${common}>${required ? none : html`<option value="">any</option>`}${options}</select>`;
  }
  return html`${label}<input ${common} value="${example}" autocomplete="off" spellcheck="false"${required ? html` required` : none}>`;
}
